"""Errors of engines that we drive, and of requests to our own engine."""

from typing import Literal

from kakomi.protocol.lines import clipped


class EngineError(Exception):
    """Another program died, hung, sent an invalid answer or played an illegal action.

    `reason` explains the failure in a sentence whose subject "it" is the engine.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def during(self, command: str) -> "EngineError":
        """Return this error as the outcome of a request."""
        del command
        return self


class EngineStartError(EngineError):
    """The program can't be started."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(f"it can't be started: {program}: {why}")
        self.why = why


class EngineTimeoutError(EngineError):
    """The program did not answer in time."""

    def __init__(self, command: str, seconds: float) -> None:
        super().__init__(f"it did not answer {command} within {seconds:g} s")
        self.command = command


class ProtocolError(EngineError):
    """The engine wrote a line that breaks the protocol or answers no open request."""

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(reason)
        self.line = line
        """In quotation marks; empty if the line was too long."""


class OutputClosedError(EngineError):
    """The program closed its output but still runs."""

    def __init__(self, command: str = "") -> None:
        super().__init__("it closed its output" + (f" instead of answering {command}" if command else ""))

    def during(self, command: str) -> EngineError:
        """Return this error with the request's command in its message."""
        return OutputClosedError(command)


class EngineExitError(EngineError):
    """The program exited or was killed."""

    def __init__(self, code: int, last_words: str, command: str = "") -> None:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        instead = f" instead of answering {command}" if command else ""
        words = f"; its last words: {last_words}" if last_words else ""
        super().__init__(f"it {how}{instead}{words}")
        self.code = code
        """The exit code; negative for a signal."""
        self.last_words = last_words
        """The last line of its standard error."""

    def during(self, command: str) -> EngineError:
        """Return this error with the request's command in its message."""
        return EngineExitError(self.code, self.last_words, command)


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
"""The machine-readable codes of request errors; docs/protocol.md explains each."""


class RequestError(Exception):
    """Why a request is refused: a code for programs and a sentence for people."""

    def __init__(self, code: Code, message: str, request: str | int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.request = request
        """The request's id, if known, where a line is refused before it is parsed."""


def describe_exception(error: Exception) -> str:
    """Describe an unexpected error in one line."""
    return clipped(f"{type(error).__name__}: {error}")
