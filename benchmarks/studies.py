"""Study the games for documentation and site: `python -m benchmarks.studies openings|blunders --write`.

Studies all games, as `kakomi study` does. With `--write`, puts tables and maps into docs/openings.md,
docs/blunders.md and docs/images, and the site's figures into the games' folders. Finished trials are kept, so
the same command resumes.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import kakomi
from benchmarks.bot_matches import add_worker_options, open_farm_from_options, tell
from benchmarks.figures_file import write_figures
from benchmarks.pages import replace_part
from kakomi.bots import NUMBERS, levels_of
from kakomi.cli.shared.parameters import game_line
from kakomi.core.known_results import (
    BLUNDERS,
    OPENINGS,
    BlunderFigures,
    Figure,
    LevelFigure,
    LevelOpenings,
    OpeningFigures,
    TurnFigure,
)
from kakomi.farm import Farm
from kakomi.openings import exact_margins
from kakomi.study.blunders import BlunderStudy
from kakomi.study.openings import OpeningStudy
from kakomi.study.report.content import Table, in_words, margin_in_words
from kakomi.study.report.estimates import Estimate
from kakomi.study.trials import Study

DOCS = Path(__file__).parent.parent / "docs"
HIGHEST = str(NUMBERS[-1])
"""The highest level that all games have."""
MOST_ROWS = 8
"""The most rows of a table of first turns."""
SOLVED = (("rin", {"size": 4}), ("rings", {"size": 2}), ("rive", {"size": 2}))
"""The boards whose first turns can all be solved."""
BUDGET = 10_000_000


@dataclass(frozen=True)
class Board:
    """A board on which the solver gets far, and the number of last actions to look at."""

    game: str
    options: dict[str, int]
    last: int


BOARDS = (
    Board("lin", {"size": 5, "line": 4}, 24),
    Board("ren", {"size": 6}, 24),
    Board("rin", {"size": 6}, 24),
    Board("rings", {"size": 2}, 40),
    Board("rive", {"size": 3}, 40),
)

S = TypeVar("S", bound=Study)


def run(study: S, folder: Path, farm: Farm) -> S:
    """Run a study and return it."""
    of = f"{game_line(study.game)}, {study.name}"
    study.run(farm, folder, lambda done: tell(f"{of}: {done} of {study.count}"))
    tell("")
    return study


def command_of(study: Study, *options: str) -> str:
    """Return the command that runs a study, without default options of the game."""
    usual = kakomi.game(study.game.name).options
    board = [f"--{name} {value}" for name, value in study.game.options.items() if value != usual[name]]
    return " ".join(["kakomi study", study.name, study.game.name, *board, *options, f"--count {study.count}"])


def markdown(table: Table, most: int | None = None) -> Iterator[str]:
    """Yield the lines of a chapter's table, with right-aligned numbers."""
    yield f"| {' | '.join(table.columns)} |"
    yield f"| ---{' | ---:' * (len(table.columns) - 1)} |"
    for row in table.rows[:most]:
        yield f"| {' | '.join(cell.text for cell in row)} |"
    if most and (rest := len(table.rows) - most) > 0:
        yield from ("", f"{rest} more came, none of them more often than these.")


def ends(one: Estimate) -> dict[str, float | None]:
    """Return an estimate's value and interval, in the format of files of figures."""
    low, high = (None if math.isnan(end) else end for end in (one.low, one.high))
    return {"value": one.value, "low": low, "high": high}


def figure_of_level(level: int, one: Estimate) -> Figure:
    """Return a level's rate, with the number of games behind it."""
    return LevelFigure(**ends(one), games=one.blocks, level=level)


def openings(count: int, folder: Path, farm: Farm, write: bool) -> dict[str, str]:
    """Return the parts of docs/openings.md: how the highest levels begin."""
    lines: list[str] = []
    for name in kakomi.names():
        game = kakomi.game(name)
        bots = dict.fromkeys((HIGHEST, str(levels_of(game.description)[-1])))
        studies = [run(OpeningStudy(game, count, bot=bot), folder, farm) for bot in bots]
        images = [f'<img src="images/{_image(one)}" width="380" alt="{_alt(one)}">' for one in studies]
        lines += [f"### {game_line(game)}", "", *images, ""]
        for study in studies:
            chapter = study.chapter()
            first = next(figure for figure in chapter.figures if isinstance(figure, Table))
            told = [f"**{chapter.title}.** {chapter.finding}", "", *markdown(first, MOST_ROWS)]
            lines += [*told, "", f"`{command_of(study, f'--bot {study.bot}')}`", ""]
            if write:
                (DOCS / "images" / _image(study)).write_text(study.written(), encoding="utf-8")
        if write:
            levels = tuple(map(_level, studies))
            write_figures(
                game.description, OPENINGS, OpeningFigures(options=dict(game.options), levels=levels)
            )
    return {"boards": "\n".join(lines), "solved": "\n".join(_solved(count, folder, farm))}


def _image(study: OpeningStudy) -> str:
    level = "" if study.bot == HIGHEST else f"-level{study.bot}"
    return f"openings-{study.game.name}{level}.svg"


def _alt(study: OpeningStudy) -> str:
    most = " · ".join(row.turn for row in study.table().played[:3])
    return f"Where level {study.bot} begins {study.game.description.title}: most often {most}"


def _level(study: OpeningStudy) -> LevelOpenings:
    table = study.table()
    turns = (
        TurnFigure(**ends(row.share), games=table.searches, turn=row.turn, differs=row.differs)
        for row in table.played
    )
    return LevelOpenings(
        level=int(study.bot),
        searches=table.searches,
        classes=len(table.rows),
        command=command_of(study, f"--bot {study.bot}"),
        turns=tuple(turns),
    )


def _solved(count: int, folder: Path, farm: Farm) -> Iterator[str]:
    """Yield a table of how often the best first turns were played, on boards where they are known."""
    heads = ("of the best margin", "evenly", "keep the result", "evenly")
    yield f"| board | first turns, margins under best play | {' | '.join(heads)} |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for name, options in SOLVED:
        study = run(OpeningStudy(kakomi.game(name, **options), count, bot=HIGHEST), folder, farm)
        table = study.table()
        margins = exact_margins(table.classes)
        found = table.exact_shares(margins)
        worth = sorted(table.rows, key=lambda row: (-margins[row.key], row.actions))
        told = " · ".join(f"{row.turn} {margin_in_words(margins[row.key])}" for row in worth)
        shares = ((found.best, found.best_evenly), (found.kept, found.kept_evenly))
        cells = (f"{in_words(one, 'percent')} | {100 * even:.0f} %" for one, even in shares)
        yield f"| {game_line(study.game)} | {told} | {' | '.join(cells)} |"
    command = command_of(study, f"--bot {study.bot}", "--exact")
    yield from ("", f"`{command}`, and the same for the other boards. {count} searches each.", "")


def blunders(count: int, folder: Path, farm: Farm, write: bool) -> dict[str, str]:
    """Return the part of docs/blunders.md: how often levels throw away exact results."""
    lines: list[str] = []
    for board in BOARDS:
        game = kakomi.game(board.game, **board.options)
        bots = list(map(str, levels_of(game.description)))
        study = run(BlunderStudy(game, count, asked=bots, most=board.last, budget=BUDGET), folder, farm)
        chapter, table = study.chapter(), study.table()
        (rates,) = (figure for figure in chapter.figures if isinstance(figure, Table))
        command = command_of(study, f"--last {board.last} --budget {BUDGET}")
        lines += [f"### {game_line(game)}", "", chapter.finding, "", *markdown(rates), "", f"`{command}`", ""]
        if write:
            of_all = [row.rates[-1].estimate for row in (table.chance, *table.rows())]
            figures = BlunderFigures(
                options=dict(game.options),
                last=board.last,
                games=table.games,
                critical=table.critical,
                command=command,
                levels=tuple(figure_of_level(level, one) for level, one in enumerate(of_all) if one),
            )
            write_figures(game.description, BLUNDERS, figures)
    return {"boards": "\n".join(lines)}


STUDIES = {"openings": openings, "blunders": blunders}


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("--count", type=int, default=100, help="trials of each (default: %(default)s)")
    parser.add_argument("--keep", type=Path, default=Path(".cache/studies"), help="where trials are kept")
    parser.add_argument("--write", action="store_true", help="put the results where they are published")
    add_worker_options(parser)
    arguments = parser.parse_args()
    with open_farm_from_options(arguments) as farm:
        parts = STUDIES[arguments.study](arguments.count, arguments.keep, farm, arguments.write)
    for name, text in parts.items():
        print(text, flush=True)
        if arguments.write:
            replace_part(DOCS / f"{arguments.study}.md", name, text)


if __name__ == "__main__":
    main()
