"""What terminals without all of Unicode show instead."""

import sys

import click

_BLOCKS = "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_INSTEAD = str.maketrans(
    {"→": "->", "±": "+-", "·": "-", "…": "...", "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+"}
)


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
