"""How the log's lines are written: as JSON, without secret paths."""

import logging

from pythonjsonlogger.json import JsonFormatter

from kakomi.server.operations.secret_paths import masked


class LineFormatter(JsonFormatter):
    """Writes lines of JSON. Others log paths too, Django those of refusals: so the whole line is masked."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        return masked(super().format(record))
