"""Serves a GTP engine over a pair of pipes."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from kakomi.protocol.exceptions import describe_exception
from kakomi.protocol.gtp.engine import ANALYSES, GtpEngine
from kakomi.protocol.gtp.syntax import Command, GtpError, failure, read_command, success

Write = Callable[[bytes], None]

MOST_WAITING = 1000
"""The most lines that may wait; then reading pauses."""


def serve(engine: GtpEngine, lines: Iterable[bytes | None], write: Write) -> None:
    """Execute commands until `quit` or the end of the lines (None for one that is too long)."""
    queue = LineQueue(lines)
    for line in queue:
        if line is None:
            write(failure("", "syntax error: the line is too long"))
        elif command := read_command(line):
            if command.name in ANALYSES:
                _analyse(engine, command, queue.arrived, write)
            else:
                write(_response(engine, command))
            if command.name == "quit":
                return


def _response(engine: GtpEngine, command: Command) -> bytes:
    try:
        return success(command.number, engine.execute(command.name, command.arguments))
    except GtpError as error:
        return failure(command.number, str(error))
    except Exception as error:  # a bug of ours: report it to the controller and go on
        return failure(command.number, f"internal error: {describe_exception(error)}")


def _analyse(engine: GtpEngine, command: Command, until: threading.Event, write: Write) -> None:
    """Write a response that grows line by line until the next command arrives."""
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


class LineQueue:
    """Reads lines in its own thread and yields them in order."""

    def __init__(self, lines: Iterable[bytes | None]) -> None:
        self._lines = lines
        self._waiting: deque[bytes | None] = deque()
        self._has_ended = False
        self._change = threading.Condition()
        self.arrived = threading.Event()
        """Set while a line waits, or once the input has ended."""
        threading.Thread(target=self._read, daemon=True).start()

    def __iter__(self) -> Iterator[bytes | None]:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._has_ended)
                if not self._waiting:
                    return
                line = self._waiting.popleft()
                if not self._waiting and not self._has_ended:
                    self.arrived.clear()
                self._change.notify_all()
            yield line

    def _read(self) -> None:
        try:
            for line in self._lines:
                with self._change:
                    self._change.wait_for(lambda: len(self._waiting) < MOST_WAITING)
                    self._waiting.append(line)
                    self.arrived.set()
                    self._change.notify_all()
        finally:
            with self._change:
                self._has_ended = True
                self.arrived.set()
                self._change.notify_all()
