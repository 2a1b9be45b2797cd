"""The end of a session at the terminal."""


class Leave(Exception):  # noqa: N818 - no error
    """The person has had enough."""
