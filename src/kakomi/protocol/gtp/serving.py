"""A GTP engine at the other end of two pipes."""

import threading
from collections.abc import Callable, Iterable

from kakomi.protocol.exceptions import fault
from kakomi.protocol.gtp.analysis import ANALYSES
from kakomi.protocol.gtp.engine import GtpEngine
from kakomi.protocol.gtp.feed import Feed
from kakomi.protocol.gtp.syntax import Command, GtpError, failure, read_command, success

Write = Callable[[bytes], None]


def serve(engine: GtpEngine, lines: Iterable[bytes | None], write: Write) -> None:
    """Carry out commands until `quit` or the end of the lines (None for one that is too long)."""
    feed = Feed(lines)
    for line in feed:
        if line is None:
            write(failure("", "syntax error: the line is too long"))
        elif command := read_command(line):
            if command.name in ANALYSES:
                _analyse(engine, command, feed.arrived, write)
            else:
                write(_response(engine, command))
            if command.name == "quit":
                return


def _response(engine: GtpEngine, command: Command) -> bytes:
    try:
        return success(command.number, engine.carry_out(command.name, command.arguments))
    except GtpError as error:
        return failure(command.number, str(error))
    except Exception as error:  # a fault of ours: the controller hears of it, and the game goes on
        return failure(command.number, f"internal error: {fault(error)}")


def _analyse(engine: GtpEngine, command: Command, until: threading.Event, write: Write) -> None:
    """A response that grows line by line until the next command is there."""
    has_begun = False

    def tell(line: str) -> None:
        nonlocal has_begun
        write((line if has_begun else f"={command.number}\n{line}").encode() + b"\n")
        has_begun = True

    try:
        engine.analyse(command.name, command.arguments, until, tell)
        write(b"\n")
    except GtpError as error:
        write(failure(command.number, str(error)))
