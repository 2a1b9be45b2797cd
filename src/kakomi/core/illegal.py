"""The error for an action that the rules forbid."""


class IllegalAction(ValueError):
    """An action that is misspelt or not allowed now; the message says why, citing the rule."""
