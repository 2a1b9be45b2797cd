"""What a study found, in the terminal: the one printer of its numbers and tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakomi.study.report.content import Cell, Number, Section


def chapter_lines(section: "Section") -> Iterator[str]:
    """A chapter as people read it."""
    from kakomi.study.report.content import Table

    yield from (section.title, section.finding)
    if section.numbers:
        yield ""
        yield from _columns([(number.label, _told(number), number.note) for number in section.numbers])
    for figure in section.figures:
        if isinstance(figure, Table):
            yield from ("", figure.title)
            yield from _columns([figure.columns, *(tuple(map(_cell, row)) for row in figure.rows)])
            if figure.about:
                yield figure.about
    yield ""
    yield from filter(None, (section.means, section.not_means, section.method))


def _columns(rows: "Sequence[tuple[str, ...]]") -> Iterator[str]:
    """Rows with their cells below each other: the first column on the left, others on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join((f"  {first:<{widths[0]}}", *cells)).rstrip()


def _cell(cell: "Cell") -> str:
    return _told(cell.number) if cell.number else cell.text


def _told(number: "Number") -> str:
    from kakomi.study.report.wording import in_words

    return in_words(number.estimate, number.unit)
