"""How the log's lines are written: as JSON, without secret paths."""

import logging

from pythonjsonlogger.json import JsonFormatter

from kakomi.server.operations.secret_paths import masked


class LineFormatter(JsonFormatter):
    """Writes lines of JSON. Others log paths too, Django those of refusals: so the whole line is masked."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line. What strangers sent wrongly is no fault of ours: it gets no traceback."""
        if getattr(record, "status_code", 500) < 500:
            record.exc_info, record.exc_text, record.levelname = None, None, "WARNING"
        return masked(super().format(record))
