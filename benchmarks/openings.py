"""`python -m benchmarks.openings --write`: which first turns strong play chooses, game by game.

Asks the highest levels on the default boards, as `kakomi openings` does, and puts tables and maps into
docs/openings.md and docs/images, and what the site shows into the games' folders. Then it asks on boards
whose first turns can all be solved, and says how often the best were played. Finished searches are kept; the
same command goes on.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import kakomi
from benchmarks.bouts import add_worker_options, opened, tell
from benchmarks.facts import write_facts
from benchmarks.pages import replace_part
from kakomi.bots import NUMBERS, levels_of
from kakomi.cli.shared.parameters import game_line
from kakomi.core import Game
from kakomi.core.facts import OPENINGS, LevelOpenings, OpeningFigures, TurnFigure
from kakomi.farm import Farm
from kakomi.study.openings import (
    OpeningRow,
    OpeningStudy,
    OpeningTable,
    drawn_map,
    exact_margins,
    opening_map,
)
from kakomi.study.report.estimates import Estimate

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "openings.md"
HIGHEST = str(NUMBERS[-1])
MOST_ROWS = 8


@dataclass(frozen=True)
class SolvedBoard:
    """A board whose first turns can all be solved."""

    game: str
    options: dict[str, int]


SOLVED = (
    SolvedBoard("rin", {"size": 4}),
    SolvedBoard("rings", {"size": 2}),
    SolvedBoard("rive", {"size": 2}),
)


def players_of(game: Game) -> tuple[str, ...]:
    """The highest level that all games have, and the highest of this one."""
    return tuple(dict.fromkeys((HIGHEST, str(levels_of(game.description)[-1]))))


def command_of(study: OpeningStudy) -> str:
    """What measures it."""
    default = kakomi.game(study.game.name).options
    given = [f" --{name} {value}" for name, value in study.game.options.items() if value != default[name]]
    return f"kakomi openings {study.game.name}{''.join(given)} --bot {study.bot} --searches {study.count}"


def image_name(study: OpeningStudy) -> str:
    """The file of a map."""
    level = "" if study.bot == HIGHEST else f"-level{study.bot}"
    return f"openings-{study.game.name}{level}.svg"


Done = list[tuple[OpeningStudy, OpeningTable]]
"""What the levels of a game were asked, with what came."""


def part(done: Done) -> list[str]:
    """A game's maps, beside each other, and a table for each level, as Markdown."""
    images = [
        f'<img src="images/{image_name(study)}" width="380" alt="{_alt(study, table)}">'
        for study, table in done
    ]
    tables = [line for study, table in done for line in _level_part(study, table)]
    return [f"### {game_line(done[0][0].game)}", "", *images, "", *tables]


def _level_part(study: OpeningStudy, table: OpeningTable) -> list[str]:
    shown = table.played[:MOST_ROWS]
    rest = len(table.played) - len(shown)
    return [
        f"**Level {study.bot}.** {_summary(table)}",
        "",
        "| first turn | positions | came | share | evenly | expected | differs |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
        *(_row(row) for row in shown),
        "",
        *([f"{rest} more came, none of them more often than these.", ""] if rest else []),
        f"`{command_of(study)}`",
        "",
    ]


def _summary(table: OpeningTable) -> str:
    parts = ((row.actions, row.share.value) for row in table.played)
    return (
        f"{table.searches} searches, {len(table.played)} of {len(table.rows)} first turns came. The searches "
        f"expect {_percent(table.expected, 1)} of the win. The strongest tint of the map stands for "
        f"{100 * opening_map(table.classes, parts).most:.1f} % of the searches. {_differences(table)}"
    )


def _alt(study: OpeningStudy, table: OpeningTable) -> str:
    most = " · ".join(row.turn for row in table.played[:3])
    return f"Where level {study.bot} begins {study.game.description.title}: most often {most}"


def _differences(table: OpeningTable) -> str:
    """Which first turns come more or less often than evenly, beyond chance."""
    more, less = ([row.turn for row in table.rows if row.differs == sign] for sign in (1, -1))
    if not more and not less:
        return "No first turn differs from an even choice beyond chance."
    told = [f"more often than evenly: {' · '.join(more)}"] if more else []
    told += [f"less often: {' · '.join(less)}"] if less else []
    return f"Beyond chance {'; '.join(told)}."


def _row(row: OpeningRow) -> str:
    differs = {1: "more", -1: "less", 0: "may be chance"}[row.differs]
    even = "–" if row.even is None else f"{100 * row.even:.1f} %"
    expected = _percent(row.expected, 1)
    cells = (row.turn, str(row.members), str(row.count), _percent(row.share, 0), even, expected, differs)
    return f"| {' | '.join(cells)} |"


def _percent(one: Estimate | None, digits: int) -> str:
    if one is None:
        return "–"
    value = f"{100 * one.value:.{digits}f} %"
    if not one.has_interval:
        return value
    return f"{value} ({100 * one.low:.{digits}f}–{100 * one.high:.{digits}f})"


def figures(done: Done) -> OpeningFigures:
    """What the site shows of a game."""
    return OpeningFigures(
        options=dict(done[0][0].game.options),
        levels=tuple(_level(study, table) for study, table in done),
    )


def _level(study: OpeningStudy, table: OpeningTable) -> LevelOpenings:
    return LevelOpenings(
        level=int(study.bot),
        searches=table.searches,
        classes=len(table.rows),
        command=command_of(study),
        turns=tuple(_turn(table, row) for row in table.played),
    )


def _turn(table: OpeningTable, row: OpeningRow) -> TurnFigure:
    one = row.share
    low, high = (None if math.isnan(end) else end for end in (one.low, one.high))
    return TurnFigure(
        value=one.value, low=low, high=high, games=table.searches, turn=row.turn, differs=row.differs
    )


def solved_part(searches: int, keep: Path, farm: Farm) -> Iterator[str]:
    """How often the best first turns were played where they are known, as Markdown."""
    yield (
        "| board | first turns, margins under best play | of the best margin | evenly "
        "| keep the result | evenly |"
    )
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for board in SOLVED:
        study = OpeningStudy(kakomi.game(board.game, **board.options), HIGHEST, searches=searches)
        table = study.run(farm, keep / study.file_name, _progress(study))
        margins = exact_margins(table.classes)
        found = table.exact_shares(margins)
        worth = sorted(table.rows, key=lambda row: (-margins[row.key], row.actions))
        told = " · ".join(f"{row.turn} {_margin(margins[row.key])}" for row in worth)
        best, kept = (_percent(one, 0) for one in (found.best, found.kept))
        even, even_kept = (f"{100 * one:.0f} %" for one in (found.best_evenly, found.kept_evenly))
        yield f"| {game_line(study.game)} | {told} | {best} | {even} | {kept} | {even_kept} |"
    yield ""
    yield f"`{command_of(study)} --exact`, and the same for the other boards. {searches} searches each."
    yield ""


def _margin(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def _progress(study: OpeningStudy) -> Callable[[int], None]:
    return lambda done: tell(f"{game_line(study.game)}, level {study.bot}: {done} of {study.count}")


def _draw(done: Done) -> None:
    for study, table in done:
        picture = drawn_map(table, f"level {study.bot}")
        (DOCS / "images" / image_name(study)).write_text(picture, encoding="utf-8")


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--searches", type=int, default=100, help="of each player (default: %(default)s)")
    parser.add_argument("--keep", type=Path, default=Path(".cache/openings"), help="where searches are kept")
    parser.add_argument("--write", action="store_true", help="put tables and maps into the documentation")
    add_worker_options(parser)
    arguments = parser.parse_args()
    arguments.keep.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    with opened(arguments) as farm:
        for name in kakomi.names():
            game = kakomi.game(name)
            studies = [OpeningStudy(game, level, searches=arguments.searches) for level in players_of(game)]
            done = [
                (study, study.run(farm, arguments.keep / study.file_name, _progress(study)))
                for study in studies
            ]
            tell("")
            told = part(done)
            lines += told
            print("\n".join(told), flush=True)
            if arguments.write:
                _draw(done)
                write_facts(game.description, OPENINGS, figures(done))
        solved = list(solved_part(arguments.searches, arguments.keep, farm))
        print("\n".join(solved))
    if arguments.write:
        replace_part(PAGE, "boards", "\n".join(lines))
        replace_part(PAGE, "solved", "\n".join(solved))


if __name__ == "__main__":
    main()
