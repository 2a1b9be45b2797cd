"""Output in the terminal: coloured text, progress bars, the numbers and tables of a study; and Ctrl-C as a
request to stop instead of an exception in the middle of something.
"""

import codecs
import contextlib
import io
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click
from click.formatting import wrap_text

if TYPE_CHECKING:
    from rich.progress import Progress

    from kakomi.study.report.content import Cell, Number, Section


_SUBSTITUTE = "kakomi.substitute"
_BLOCKS = "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_SUBSTITUTES = str.maketrans(
    {"→": "->", "±": "+-", "·": "-", "…": "...", "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+"}
)


def may_have_colours() -> bool:
    """Return whether colours are allowed, which `NO_COLOR` (https://no-color.org) or a dumb terminal
    forbid."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_colours(stream: IO[Any] | None = None) -> bool:
    """Return whether to colour text on a stream, by default standard output."""
    return may_have_colours() and (stream or sys.stdout).isatty()


class HelpText(click.HelpFormatter):
    """Formats help, including examples, to fit even narrower terminals than Click does."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        width = width or min(shutil.get_terminal_size().columns, max_width or 80) - 2
        super().__init__(indent_increment, max(width, 20))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms and their meanings; in narrow terminals a meaning starts on the next line."""
        super().write_dl(rows, min(col_max, max(8, self.width - 48)), col_spacing)

    def getvalue(self) -> str:
        """Return the whole text, with overlong preformatted lines broken."""
        return "".join(map(self._fitting, super().getvalue().splitlines(keepends=True)))

    def _fitting(self, line: str) -> str:
        if len(line.rstrip()) <= self.width + 2:
            return line
        indent = " " * (len(line) - len(line.lstrip()))
        return wrap_text(line.strip(), self.width + 2, indent, f"{indent}    ") + "\n"


def say(text: str, *, indent: int = 0, **style: bool) -> None:
    """Print a text's lines, wrapped to the width of a terminal with continuation lines indented."""
    for line in text.split("\n"):
        click.echo(click.style(_broken(line, indent), **style) if style else _broken(line, indent))


def _broken(line: str, indent: int) -> str:
    """Wrap a line, unless output isn't a terminal or the line is laid out with leading spaces."""
    if not sys.stdout.isatty() or (line.startswith(" ") and not indent):
        return line
    width = max(20, shutil.get_terminal_size().columns)
    return wrap_text(line, width, subsequent_indent=" " * indent) if len(line) > width else line


def in_words(error: OSError) -> str:
    """Return the system's message, with the file's name if there is one."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)


def prepare_streams() -> None:
    """Make it safe to print anything: substitute characters that the encoding lacks, and discard output to a
    stream that was closed before the program began."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open until exit)
        elif name != "stdin" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_SUBSTITUTE)


def _substituted(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end].translate(_SUBSTITUTES)
    return "".join(character if character.isascii() else "?" for character in lacking), error.end


codecs.register_error(_SUBSTITUTE, _substituted)


def has_blocks() -> bool:
    """Return whether standard output can encode block characters, which give the best plots."""
    try:
        _BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


PATIENCE_SECONDS = 2.0
"""Seconds that a task may take before its progress is shown."""

Tell = Callable[[float, str], None]
"""Receives the fraction done, from 0 to 1, and a few words about it."""

_ERASE = "\r\x1b[K"


@contextlib.contextmanager
def announced_compiling(what: str = "the rules") -> Iterator[None]:
    """Announce compiling on standard error, since it takes seconds."""
    from kakomi.kernel import when_compiling

    told: list[str] = []

    @contextlib.contextmanager
    def announce(driver: str) -> Iterator[None]:
        message = f"Compiling {what} (once) …"
        if _is_terminal():
            click.echo(_ERASE + message, nl=False, err=True)
        elif not told:
            click.echo(message, err=True)
        told.append(driver)
        yield
        if _is_terminal():
            click.echo(_ERASE, nl=False, err=True)

    with when_compiling(announce):
        yield


class PatientProgress:
    """A progress bar on standard error for tasks that take long; a single line in a dumb terminal."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._started = time.monotonic()
        self._has_said = False
        self._bar: Progress | None = None

    def tell(self, part: float, words: str = "") -> None:
        """Report the progress."""
        if time.monotonic() - self._started < PATIENCE_SECONDS or not _is_terminal():
            return
        if not self._has_said:
            self._has_said = True
            self._begin()
        if self._bar:
            self._bar.update(self._bar.task_ids[0], completed=part, words=words)

    def _begin(self) -> None:
        if os.environ.get("TERM", "dumb") == "dumb":
            click.echo(f"{self._title} …", err=True)
            return
        self._bar = _bar()
        self._bar.add_task(self._title, total=1.0, words="")
        self._bar.start()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar:
            self._bar.stop()


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn("{task.fields[words]}"),
        console=Console(stderr=True, no_color=not has_colours(sys.stderr), highlight=False),
        transient=True,
    )


@contextlib.contextmanager
def patient_progress(title: str) -> Iterator[Tell]:
    """Yield a function that reports a task's progress; a bar appears if it takes over two seconds."""
    progress = PatientProgress(title)
    try:
        yield progress.tell
    finally:
        progress.close()


def _is_terminal() -> bool:
    return sys.stderr.isatty()


INTERRUPTED = 130
"""Exit code after Ctrl-C, as in shells: 128 + SIGINT."""


@contextmanager
def report_kept_on_interrupt(kept: str | Callable[[], str] = "nothing was saved") -> Iterator[None]:
    """If Ctrl-C ends a long command, say what is kept of its work."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"kakomi: stopped; {kept if isinstance(kept, str) else kept()}", err=True)
        raise


@contextmanager
def stopped_by_interrupt() -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C sets; a second one raises KeyboardInterrupt as usual.

    A signal handler sets the event, because a KeyboardInterrupt caught while waiting would sometimes arrive
    between two waits. Only the main thread may use this, and it must not wait for the event.
    """
    stop = threading.Event()
    usual = signal.getsignal(signal.SIGINT)

    def ask_to_stop(number: int, frame: object) -> None:
        del number, frame
        signal.signal(signal.SIGINT, usual)
        stop.set()

    signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, usual)


def chapter_lines(section: "Section") -> Iterator[str]:
    """Yield the lines of a chapter."""
    from kakomi.study.report.content import Table

    yield from (section.title, section.finding)
    if section.numbers:
        yield ""
        rows = [(number.label, _number_in_words(number), number.note) for number in section.numbers]
        yield from _columns(rows)
    for figure in section.figures:
        if isinstance(figure, Table):
            yield from ("", figure.title)
            yield from _columns([figure.columns, *(tuple(map(_cell, row)) for row in figure.rows)])
            if figure.about:
                yield figure.about
    yield ""
    yield from filter(None, (section.means, section.not_means, section.method))


def _columns(rows: "Sequence[tuple[str, ...]]") -> Iterator[str]:
    """Yield rows in columns: the first column left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join((f"  {first:<{widths[0]}}", *cells)).rstrip()


def _cell(cell: "Cell") -> str:
    return _number_in_words(cell.number) if cell.number else cell.text


def _number_in_words(number: "Number") -> str:
    from kakomi.study.report.content import in_words

    return in_words(number.estimate, number.unit)
