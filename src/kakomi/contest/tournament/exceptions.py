"""What can be wrong with a tournament's log, or with a wish to go on."""


class LogError(ValueError):
    """The log holds what can't have happened, such as a result of a game that nobody was paired for."""


class RoundNotReadyError(ValueError):
    """The next round can't be paired yet: games of the last one go on."""
