"""A report as Markdown: everything but charts and boards."""

from collections.abc import Iterator

from kakomi.study.report.content import GROUPS, Cell, Number, Section, Table
from kakomi.study.report.report import Report
from kakomi.study.report.wording import games_in_words, in_words


def markdown(report: Report) -> str:
    """The whole report; equal reports give equal texts."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {report.title}"
    yield ""
    yield from (f"- {sentence}" for sentence in report.summary)
    for group, title in GROUPS.items():
        inside = [section for section in report.sections if section.group == group]
        if inside:
            yield from ("", f"## {title}")
        for section in inside:
            yield from _section(section)
    yield from ("", "## Where this comes from", "")
    yield from (f"- {sample.title}: {games:,} games" for sample, games in report.counts)
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    yield from ("", f"`{report.origin.command}` · seed {report.origin.seed} · {versions}")
    if report.origin.more:
        yield from ("", report.origin.more)


def _section(section: Section) -> Iterator[str]:
    yield from ("", f"### {section.title}", "", section.finding)
    if section.numbers:
        yield from ("", "| number | value (95 %) | players | games |", "| --- | --- | --- | --- |")
        yield from (_row(number) for number in section.numbers)
    for figure in section.figures:
        if isinstance(figure, Table):
            yield from _table(figure)
    yield from ("", f"What it means: {section.means}", "", f"What it does not mean: {section.not_means}")


def _row(number: Number) -> str:
    one = number.estimate
    behind = games_in_words(one) if one.games else ""
    label = f"{number.label} ({number.note})" if number.note else number.label
    return f"| {_clean(label)} | {in_words(one, number.unit)} | {_clean(number.players)} | {behind} |"


def _table(table: Table) -> Iterator[str]:
    yield from ("", f"{table.title}: {table.about}".removesuffix(": "), "")
    yield f"| {' | '.join(table.columns)} |"
    yield f"|{' --- |' * len(table.columns)}"
    yield from (f"| {' | '.join(_cell(cell) for cell in row)} |" for row in table.rows)


def _cell(cell: Cell) -> str:
    return in_words(cell.number.estimate, cell.number.unit) if cell.number else _clean(cell.text)


def _clean(text: str) -> str:
    return text.replace("|", "\\|")
