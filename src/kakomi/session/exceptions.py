"""The error for actions that a match doesn't allow."""


class Refused(ValueError):  # noqa: N818 - named for what happens, like IllegalAction
    """An action isn't allowed in this match, now, or by this seat; the message gives the reason."""
