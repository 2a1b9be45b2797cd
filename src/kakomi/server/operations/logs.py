"""The site's log: requests and events, as JSON lines if asked for, without secret paths."""

import logging
import re
from typing import Any

from pythonjsonlogger.json import JsonFormatter

FORMAT = "{asctime}{levelname}{name}{message}"
"""What every line has; more comes with each kind of event."""


def logging_config(target: str) -> dict[str, Any]:
    """Python's logging for a file, `-` for standard error, or empty for what goes wrong alone."""
    if not target:
        return {"version": 1, "disable_existing_loggers": False}
    kept = (
        {"class": "logging.StreamHandler"}
        if target == "-"
        else {"class": "logging.handlers.WatchedFileHandler", "filename": target, "encoding": "utf-8"}
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": "kakomi.server.operations.logs.LineFormatter",
                "fmt": FORMAT,
                "style": "{",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                "datefmt": "%Y-%m-%dT%H:%M:%S%z",
            }
        },
        "handlers": {"lines": {**kept, "formatter": "lines"}},
        "loggers": {
            "kakomi": {"handlers": ["lines"], "level": "INFO", "propagate": False},
            "django": {"handlers": ["lines"], "level": "WARNING", "propagate": False},
            "uvicorn": {"handlers": ["lines"], "level": "WARNING", "propagate": False},
        },
    }


class LineFormatter(JsonFormatter):
    """Writes lines of JSON. Others log paths too, Django those of refusals: so the whole line is masked."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line. What strangers sent wrongly is no fault of ours: it gets no traceback."""
        if getattr(record, "status_code", 500) < 500:
            record.exc_info, record.exc_text, record.levelname = None, None, "WARNING"
        return masked(super().format(record))


SECRET_AREAS = frozenset({"account", "join", "me", "notices", "post"})
"""First parts of such paths: new passwords, invitations, private links and calendars, links that stop mail,
and confirmations."""
_SECRET_PREFIXES = (*sorted(SECRET_AREAS), "api/v1/invitations")
_SLASH = r"(?:/+|%2F)"
_PATH = re.compile(
    r"(https?://[^/\s\"'\\]+|(?<![\w.%/-]))"  # an address, or the begin of a path: no folder of our sources
    rf"{_SLASH}({'|'.join(prefix.replace('/', _SLASH) for prefix in _SECRET_PREFIXES)}){_SLASH}"
    r"[^\s\"'\\<>?&#,;)\]]+",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """A text in which such paths end where their secret would begin: `/join/...`."""
    return _PATH.sub(r"\1/\2/...", text)
