"""Exceptions of all apps of the site."""

from kakomi.session import Refused


class Conflict(Refused):
    """The state has changed since the sender saw it."""
