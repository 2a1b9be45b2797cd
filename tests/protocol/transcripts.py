"""Recorded sessions, and replaying them: `$` is the command, `>` is input, `<` is output.

`python -m tests.protocol.transcripts --write` updates the answers in docs/protocol.md and
tests/protocol/golden/*.txt; review the changes before you keep them.
"""

import json
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
CONTRACT = PROJECT / "docs" / "protocol.md"
GOLDEN = sorted((PROJECT / "tests" / "protocol" / "golden").glob("*.txt"))
PATIENCE_SECONDS = 120
"""The timeout; the rules may have to be compiled first."""

_SESSION = re.compile(r"^\$ kakomi .*\n(?:[<>].*\n)+", re.MULTILINE)
_BY_SHAPE = {"analyse", "name_komi", "choose_player", "wants_swap"}
"""Commands whose answers depend on the search: only the form of these answers is compared."""
_VOLATILE = {"version", "seconds", "positions"}
_OPEN = {"unknown-bot"}
"""Errors whose messages list what exists, which may grow."""


@dataclass
class Exchange:
    """Lines sent together, and the lines received."""

    said: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)


@dataclass
class Session:
    """A command and its exchanges."""

    command: list[str]
    exchanges: list[Exchange]

    @property
    def is_gtp(self) -> bool:
        return self.command[1] == "gtp"

    def replayed(self) -> "Session":
        """The session with the current answers to the same input."""
        with Program(self.command[1:]) as program:
            return Session(self.command, [self._repeated(exchange, program) for exchange in self.exchanges])

    def _repeated(self, exchange: Exchange, program: "Program") -> Exchange:
        program.say("".join(f"{line}\n" for line in exchange.said))
        heard: list[str] = []
        for _ in exchange.said:
            heard += program.response() if self.is_gtp else program.answer()
        return Exchange(exchange.said, [line.rstrip() for line in heard])

    def __str__(self) -> str:
        lines = [f"$ {shlex.join(self.command)}"]
        for exchange in self.exchanges:
            lines += [f"> {line}" for line in exchange.said] + [
                f"< {line}".rstrip() for line in exchange.heard
            ]
        return "\n".join(lines) + "\n"


class Program:
    """A running `kakomi`, which is ended if it is silent for too long."""

    def __init__(self, args: list[str]) -> None:
        command = [sys.executable, "-m", "kakomi", *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._watchdog = threading.Timer(PATIENCE_SECONDS, self.process.kill)
        self._watchdog.start()

    def say(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the program ended"
        return line.rstrip("\n")

    def answer(self) -> list[str]:
        """The lines up to the end of a request."""
        lines = [self.line()]
        while "report" in json.loads(lines[-1]):
            lines.append(self.line())
        return lines

    def response(self) -> list[str]:
        """The lines up to an empty one."""
        lines = [self.line()]
        while lines[-1]:
            lines.append(self.line())
        return lines

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *of_no_matter: object) -> None:
        self._watchdog.cancel()
        self.process.communicate(timeout=PATIENCE_SECONDS)
        assert self.process.returncode == 0


def sessions(text: str) -> Iterator[Session]:
    """The sessions in a text."""
    for found in _SESSION.findall(text):
        command, *lines = found.splitlines()
        exchanges: list[Exchange] = []
        for line in lines:
            sign, told = line[0], line[2:]
            if sign == ">" and (not exchanges or exchanges[-1].heard):
                exchanges.append(Exchange())
            (exchanges[-1].said if sign == ">" else exchanges[-1].heard).append(told.rstrip())
        yield Session(shlex.split(command[2:]), exchanges)


def comparable(session: Session) -> list[Any]:
    """The answers without what may differ between runs."""
    if session.is_gtp:
        return [exchange.heard for exchange in session.exchanges]
    kinds: dict[Any, str] = {}
    answers = []
    for exchange in session.exchanges:
        for line in exchange.said:
            kinds.update(_kind(line))
        for line in exchange.heard:
            answer = json.loads(line)
            by_shape = kinds.get(answer["id"]) in _BY_SHAPE and "error" not in answer
            answers.append(shape(answer) if by_shape else masked(answer))
    return answers


def shape(value: Any) -> Any:
    """The form of a value: names and types."""
    match value:
        case dict():
            return {name: shape(of) for name, of in value.items()}
        case list():
            return [shape(of) for of in value[:1]]
        case bool() | None:
            return type(value).__name__
        case int() | float():
            return "number"
    return type(value).__name__


def masked(value: Any) -> Any:
    """A value without what changes between releases."""
    match value:
        case {"code": code} if code in _OPEN:
            return code
        case dict():
            return {name: masked(of) for name, of in value.items() if name not in _VOLATILE}
        case list():
            return [masked(of) for of in value]
    return value


def _kind(line: str) -> dict[Any, str]:
    try:
        request = json.loads(line)
        return {request["id"]: request["command"]}
    except (ValueError, KeyError, TypeError):
        return {}


def rewritten(text: str) -> str:
    """A text with the current answers."""
    return _SESSION.sub(lambda found: str(next(sessions(found[0])).replayed()), text)


if __name__ == "__main__":
    assert sys.argv[1:] == ["--write"], __doc__
    for path in [CONTRACT, *GOLDEN]:
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
