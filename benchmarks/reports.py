"""Make the reports of the games, for the documentation and the site: `python -m benchmarks.reports --write`.

Plays each game with its default options, as `kakomi report GAME` does. With `--write`, puts the pages into
docs/reports, their first numbers into docs/reports.md, and the numbers that the site shows into the game's
folder. Finished games are kept, so the same command resumes.
"""

import argparse
import math
from pathlib import Path

import kakomi
from benchmarks.bot_matches import add_worker_options, open_farm_from_options
from benchmarks.figures_file import write_figures
from benchmarks.pages import replace_part
from kakomi.cli.shared.played_report import Order, played_report
from kakomi.core.known_results import REPORT, Figure, LevelFigure, ReportFigures
from kakomi.study.report.content import Section, in_words
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.page.html import page
from kakomi.study.report.plan import parse_budget
from kakomi.study.report.report import Report
from kakomi.study.report.study import share_of, share_of_seat

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "reports"
COLUMNS = {
    "first seat wins": "seats",
    "actions a game": "lengths",
    "decided after": "uncertainty",
    "changes of the lead": "leads",
    "legal actions": "branching",
    "game tree": "complexity",
}
"""By column, the section whose first number it shows."""


def table(reports: list[Report]) -> str:
    """Return the first numbers of all reports as a Markdown table."""
    lines = [
        "| report | players | games | " + " | ".join(COLUMNS) + " |",
        "| --- | --- | ---: |" + " --- |" * len(COLUMNS),
    ]
    for report in reports:
        best, games = report.study.best, len(report.study.games)
        link = f"[{report.title}](reports/{report.game.name}.html)"
        numbers = [_first_number(report, key) for key in COLUMNS.values()]
        lines.append(f"| {link} | {best.title} | {games} | {' | '.join(numbers)} |")
    return "\n".join(lines) + "\n"


def figures(report: Report) -> ReportFigures:
    """Return the figures of a report that the site shows."""
    study = report.study
    seats = study.over_strength(lambda games: share_of(games, share_of_seat(0)))
    return ReportFigures(
        options=dict(report.game.options),
        level=study.best.level,
        games=len(study.games),
        command=report.origin.command,
        figures={key: _figure(_section(report, key).numbers[0].estimate) for key in COLUMNS.values()},
        first_seat=tuple(_figure_of_level(sample.level, one) for sample, one in seats),
    )


def _figure(one: Estimate) -> Figure:
    low, high = (end if math.isfinite(end) else None for end in (one.low, one.high))
    return Figure(value=one.value, low=low, high=high, games=one.games)


def _figure_of_level(level: int, one: Estimate) -> LevelFigure:
    return LevelFigure(**vars(_figure(one)), level=level)


def _section(report: Report, key: str) -> Section:
    return next(section for section in report.sections if section.key == key)


def _first_number(report: Report, key: str) -> str:
    number = _section(report, key).numbers[0]
    return in_words(number.estimate, number.unit)


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--budget", default="10m", help="of each (default: %(default)s)")
    parser.add_argument("--keep", type=Path, default=Path(".cache/reports"), help="where games are kept")
    parser.add_argument("--write", action="store_true", help="put them into the documentation")
    add_worker_options(parser)
    arguments = parser.parse_args()
    reports = []
    with open_farm_from_options(arguments) as farm:
        for name in kakomi.names():
            order = Order(kakomi.game(name), [], parse_budget(arguments.budget), "", 1, arguments.keep)
            reports.append(played_report(order, farm))
            if arguments.write:
                FOLDER.mkdir(exist_ok=True)
                (FOLDER / f"{name}.html").write_text(page(reports[-1]), encoding="utf-8")
                write_figures(reports[-1].game.description, REPORT, figures(reports[-1]))
    told = table(reports)
    print(told, end="")
    if arguments.write:
        replace_part(DOCS / "reports.md", "games", told)


if __name__ == "__main__":
    main()
