"""Exceptions of all apps of the site."""

from kakomi.session import Refused


class Conflict(Refused):
    """The state has changed since the sender saw it."""


class RenderUnavailable(Exception):  # noqa: N818 (it says what the queue is)
    """Too many wait, or the picture took too long or could not be made; the message says which."""
