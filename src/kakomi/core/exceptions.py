"""The error for an action that the rules forbid."""


class IllegalAction(ValueError):  # noqa: N818 (the name is part of the interface)
    """An action that is misspelt or not allowed now; the message says why, citing the rule."""
