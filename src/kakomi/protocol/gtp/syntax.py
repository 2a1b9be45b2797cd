"""GTP's lines: commands in, responses out."""

import re
from dataclasses import dataclass

_MOST_DIGITS = 10
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_EMPTY_LINES = re.compile(r"\n(\s*\n)+")


class GtpError(Exception):
    """A command that fails; the message is what the controller gets."""


@dataclass(frozen=True)
class Command:
    """One command; `number` is the controller's, empty if it gave none."""

    number: str
    name: str
    arguments: tuple[str, ...]


def read_command(line: bytes) -> Command | None:
    """The command of a line, None if there is nothing but space and comments (GTP 2, section 3.1)."""
    text = _CONTROL.sub("", line.decode(errors="replace")).partition("#")[0]
    words = text.replace("\t", " ").split(" ")
    words = [word for word in words if word]
    if not words:
        return None
    is_numbered = words[0].isascii() and words[0].isdigit() and len(words[0]) <= _MOST_DIGITS
    number = words.pop(0) if is_numbered else ""
    name, *arguments = words or [""]
    return Command(number, name, tuple(arguments))


def success(number: str, text: str = "") -> bytes:
    """The response to a command that was carried out."""
    return _response("=", number, text)


def failure(number: str, text: str) -> bytes:
    """The response to a command that wasn't."""
    return _response("?", number, text)


def _response(sign: str, number: str, text: str) -> bytes:
    """An empty line ends a response, so that there may be none in it."""
    text = _EMPTY_LINES.sub("\n", text).rstrip("\n")
    return f"{sign}{number} {text}\n\n".encode()
