"""The site's log: requests and events, as JSON lines if configured, without secret paths."""

import logging
import re
from typing import Any

from pythonjsonlogger.json import JsonFormatter

FORMAT = "{asctime}{levelname}{name}{message}"
"""The fields of every line; events add their own."""


def logging_config(target: str) -> dict[str, Any]:
    """The `logging` configuration for a file, `-` for standard error, or empty for problems only."""
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
    """Formats log entries as JSON lines. Whole lines are masked, as libraries such as Django log paths
    too."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record. Those about client errors become warnings without a traceback."""
        if getattr(record, "status_code", 500) < 500:
            record.exc_info, record.exc_text, record.levelname = None, None, "WARNING"
        return masked(super().format(record))


SECRET_AREAS = frozenset({"account", "join", "me", "notices", "mail"})
"""First parts of paths that contain secrets: password resets, invitations, private links and calendars, links
that stop mail, and confirmations."""
_SECRET_PREFIXES = (*sorted(SECRET_AREAS), "api/v1/invitations")
_SLASH = r"(?:/+|%2F)"
_PATH = re.compile(
    r"(https?://[^/\s\"'\\]+|(?<![\w.%/-]))"  # a URL or the beginning of a path, but not our source folders
    rf"{_SLASH}({'|'.join(prefix.replace('/', _SLASH) for prefix in _SECRET_PREFIXES)}){_SLASH}"
    r"[^\s\"'\\<>?&#,;)\]]+",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """Replace the secrets in a text's paths, as in `/join/...`."""
    return _PATH.sub(r"\1/\2/...", text)
