"""The error for a request that can't be met."""

from typing import Literal

from kakomi.protocol.sanitize import clipped

Code = Literal[
    "malformed",
    "too-long",
    "unknown-command",
    "bad-field",
    "bad-game",
    "bad-position",
    "bad-record",
    "no-game",
    "illegal-action",
    "game-over",
    "nothing-to-undo",
    "unknown-bot",
    "cancelled",
    "internal",
]
"""What was wrong, for programs; docs/protocol.md says when each is used."""


class Refusal(Exception):  # noqa: N818 (an answer, not a breakdown)
    """Why a request is not met: a code for programs and a sentence for people."""

    def __init__(self, code: Code, message: str, request: str | int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.request = request
        """The request's id, where a line is refused before it has become a request."""


def fault(error: Exception) -> str:
    """An error that should not have been, in one line."""
    return clipped(f"{type(error).__name__}: {error}")
