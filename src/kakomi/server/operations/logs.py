"""The site's log: requests and events as JSON lines, if it is asked for."""

from typing import Any

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
                "()": "kakomi.server.operations.log_lines.LineFormatter",
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
