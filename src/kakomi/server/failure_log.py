"""What fails again and again, in the log: once while the database is away, and not four times a second."""

import logging

from kakomi.server.database import is_away


class FailureLog:
    """The failures of what is tried again and again."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._waiting: set[str] = set()
        """What has failed as the database is away, and was told."""

    def failed(self, what: str, error: Exception) -> None:
        """Tell of a failure; while the database is away, only of the first one."""
        if not is_away(error):
            self._log.error("%s failed; it is tried again", what, exc_info=error)
        elif what not in self._waiting:
            self._waiting.add(what)
            self._log.warning("%s waits for the database: %s", what, str(error).strip())

    def worked(self, what: str) -> None:
        """Note that it has worked."""
        if what in self._waiting:
            self._waiting.discard(what)
            self._log.warning("%s goes on, as the database is back", what)
