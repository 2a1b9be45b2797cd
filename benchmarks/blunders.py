"""`python -m benchmarks.blunders --write`: how often levels throw away exact results.

Studies the games on small boards, as `kakomi blunders` does, and puts tables into docs/blunders.md and what
the site shows into the games' folders. Finished games are kept; the same command goes on.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import kakomi
from benchmarks.bouts import add_worker_options, opened
from benchmarks.facts import write_facts
from benchmarks.pages import replace_part
from kakomi.bots import levels_of
from kakomi.cli.shared.parameters import game_line
from kakomi.core.facts import BLUNDERS, BlunderFigures, LevelFigure
from kakomi.study.blunders import BlunderStudy, BlunderTable, Rate, Row

PAGE = Path(__file__).parent.parent / "docs" / "blunders.md"
BUDGET = 10_000_000


@dataclass(frozen=True)
class Board:
    """A game with its options, and how far from the end it is looked at."""

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


def study_of(board: Board, games: int) -> BlunderStudy:
    """All levels on a board."""
    game = kakomi.game(board.game, **board.options)
    bots = list(map(str, levels_of(game.description)))
    return BlunderStudy(game, bots, games=games, most=board.last, budget=BUDGET)


def command_of(board: Board, games: int) -> str:
    """What measures it."""
    options = " ".join(f"--{name} {value}" for name, value in board.options.items())
    return f"kakomi blunders {board.game} {options} --games {games} --last {board.last} --budget {BUDGET}"


def part(board: Board, study: BlunderStudy, table: BlunderTable) -> list[str]:
    """A board's table, as Markdown."""
    columns = [f"{first}–{last}" for first, last in table.columns]
    heads = ["actions left", *columns, "all"]
    counts = [str(rate.positions) for rate in table.chance.rates]
    solved = f"{table.positions:,} positions of {table.games} games were solved"
    short = f"in {table.cut_short} games the solver came less far back than {board.last} actions"
    return [
        f"### {game_line(study.game)}",
        "",
        f"{solved}, {table.critical:,} of them are critical; {short}.",
        "",
        _line(heads),
        _line(["---", *["---:"] * (len(heads) - 1)]),
        _line(["positions", *counts]),
        _line(["random play", *map(_cell, table.chance.rates)]),
        *(_row(row) for row in table.rows()),
        "",
        f"`{command_of(board, study.count)}`",
        "",
    ]


def _row(row: Row) -> str:
    return _line([f"level {row.player}", *map(_cell, row.rates)])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(rate: Rate) -> str:
    one = rate.estimate
    return f"{100 * one.value:.0f} % ({100 * one.low:.0f}–{100 * one.high:.0f})" if one else "–"


def figures(board: Board, study: BlunderStudy, table: BlunderTable) -> BlunderFigures:
    """What the site shows of a board."""
    levels = (_figure(level, row.rates[-1]) for level, row in enumerate((table.chance, *table.rows())))
    return BlunderFigures(
        options=dict(study.game.options),
        last=board.last,
        games=table.games,
        critical=table.critical,
        command=command_of(board, study.count),
        levels=tuple(level for level in levels if level),
    )


def _figure(level: int, rate: Rate) -> LevelFigure | None:
    one = rate.estimate
    if one is None:
        return None
    return LevelFigure(value=one.value, low=one.low, high=one.high, games=one.blocks, level=level)


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--games", type=int, default=100, help="of each board (default: %(default)s)")
    parser.add_argument("--keep", type=Path, default=Path(".cache/blunders"), help="where games are kept")
    parser.add_argument("--write", action="store_true", help="put the tables into the documentation")
    add_worker_options(parser)
    arguments = parser.parse_args()
    arguments.keep.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    with opened(arguments) as farm:
        for board in BOARDS:
            study = study_of(board, arguments.games)
            table = study.run(farm, arguments.keep / study.file_name)
            lines += part(board, study, table)
            print("\n".join(part(board, study, table)), flush=True)
            if arguments.write:
                write_facts(study.game.description, BLUNDERS, figures(board, study, table))
    if arguments.write:
        replace_part(PAGE, "boards", "\n".join(lines))


if __name__ == "__main__":
    main()
