"""What every app of the site may raise."""

from kakomi.session import Refused


class Conflict(Refused):
    """Somebody acted on what they saw, and meanwhile something else happened."""
