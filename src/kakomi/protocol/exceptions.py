"""Errors of engines that we drive, and of requests to our own engine."""

from typing import Literal

from kakomi.protocol.lines import clipped


class EngineError(Exception):
    """Another program died, hung, answered nonsense or played an illegal action.

    `reason` says which, in a sentence whose subject, "it", is the engine.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def during(self, command: str) -> "EngineError":
        """The same, as what came instead of an answer to a request."""
        del command
        return self


class EngineStartError(EngineError):
    """The program can't be started."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(f"it can't be started: {program}: {why}")
        self.why = why


class EngineTimeoutError(EngineError):
    """It did not answer in time."""

    def __init__(self, command: str, seconds: float) -> None:
        super().__init__(f"it did not answer {command} within {seconds:g} s")
        self.command = command


class ProtocolError(EngineError):
    """The engine wrote a line that isn't of the protocol, or answers no request."""

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(reason)
        self.line = line
        """In quotation marks; empty if it had no end."""


class OutputClosedError(EngineError):
    """It closed its output and runs on."""

    def __init__(self, command: str = "") -> None:
        super().__init__("it closed its output" + (f" instead of answering {command}" if command else ""))

    def during(self, command: str) -> EngineError:
        """The same, with the request."""
        return OutputClosedError(command)


class EngineExitError(EngineError):
    """It ended by itself, or was killed."""

    def __init__(self, code: int, last_words: str, command: str = "") -> None:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        instead = f" instead of answering {command}" if command else ""
        words = f"; its last words: {last_words}" if last_words else ""
        super().__init__(f"it {how}{instead}{words}")
        self.code = code
        """Below 0 for a signal."""
        self.last_words = last_words
        """The last line that it wrote to standard error."""

    def during(self, command: str) -> EngineError:
        """The same, with the request."""
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
"""The codes of refusals, for programs; docs/protocol.md explains each."""


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
