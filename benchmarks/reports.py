"""`python -m benchmarks.reports --write`: the reports of the games, for the documentation.

Plays each game by its default options, as `kakomi report GAME` does, and puts the pages into docs/reports and
their first numbers into docs/reports.md. Finished games are kept; the same command goes on.
"""

import argparse
from pathlib import Path

import kakomi
from benchmarks.bouts import add_worker_options, opened
from benchmarks.pages import replace_part
from kakomi.cli.reporting.play import Order, played_report
from kakomi.study.report.budget import parse_budget
from kakomi.study.report.page.html import page
from kakomi.study.report.report import Report
from kakomi.study.report.wording import in_words

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
"""Column -> the section whose first number stands there."""


def table(reports: list[Report]) -> str:
    """The first numbers of all reports, as Markdown."""
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


def _first_number(report: Report, key: str) -> str:
    number = next(section.numbers[0] for section in report.sections if section.key == key)
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
    with opened(arguments) as farm:
        for name in kakomi.names():
            order = Order(kakomi.game(name), [], parse_budget(arguments.budget), "", 1, arguments.keep)
            reports.append(played_report(order, farm))
            if arguments.write:
                FOLDER.mkdir(exist_ok=True)
                (FOLDER / f"{name}.html").write_text(page(reports[-1]), encoding="utf-8")
    told = table(reports)
    print(told, end="")
    if arguments.write:
        replace_part(DOCS / "reports.md", "games", told)


if __name__ == "__main__":
    main()
