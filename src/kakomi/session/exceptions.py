"""The error for what a match doesn't allow."""


class Refused(ValueError):  # noqa: N818 - named for what happens, as IllegalAction is
    """Something that can't be done in this match, or not now, or not by this seat; the message says why."""
