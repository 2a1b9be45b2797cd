"""Sentences on a terminal, broken between words."""

import shutil
import sys

import click
from click.formatting import wrap_text


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
