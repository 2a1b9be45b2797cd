"""Text on standard output: colours, lines that are broken between words, characters that the terminal has."""

import os
import shutil
import sys
from typing import IO, Any

import click
from click.formatting import wrap_text

_BLOCKS = "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_INSTEAD = str.maketrans(
    {"→": "->", "±": "+-", "·": "-", "…": "...", "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+"}
)


def may_have_colours() -> bool:
    """Whether nobody asked for none: `NO_COLOR` (https://no-color.org) or a terminal that has none."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_colours(stream: IO[Any] | None = None) -> bool:
    """Whether what is written to a stream (standard output) may be coloured."""
    return may_have_colours() and (stream or sys.stdout).isatty()


def say(text: str, *, indent: int = 0, **style: bool) -> None:
    """Print a text's lines; on a terminal none is wider than it, and what goes on below is indented."""
    for line in text.split("\n"):
        click.echo(click.style(_broken(line, indent), **style) if style else _broken(line, indent))


def _broken(line: str, indent: int) -> str:
    """The line as it is where no person reads it, and where it is laid out with leading spaces."""
    if not sys.stdout.isatty() or (line.startswith(" ") and not indent):
        return line
    width = max(20, shutil.get_terminal_size().columns)
    return wrap_text(line, width, subsequent_indent=" " * indent) if len(line) > width else line


def show(line: str) -> None:
    """Print a line in characters that standard output has."""
    click.echo(plain(line))


def plain(line: str) -> str:
    """The line, or the like of it in characters that standard output has."""
    if _has(line):
        return line
    encoding = sys.stdout.encoding or "ascii"
    return line.translate(_INSTEAD).encode(encoding, "replace").decode(encoding)


def has_blocks() -> bool:
    """Whether standard output has the characters that plots are best drawn with."""
    return _has(_BLOCKS)


def _has(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
