"""Measure the fair komi of games with komi, by board and strength, and fit a curve.

    python -m benchmarks.komi [GAME]... [--keep .cache/studies] [--jobs N] [--ray ADDRESS] [--anew] [--write]

Games are kept in the folder, so the same command resumes where it was stopped. `--write` puts the table and
the curve into the game's `measured/komi.toml`, which bots and the site read, and into docs/komi.md. A single
row can also be measured with `kakomi study komi`. To measure more, change `CELLS`: cells already in
`komi.toml` are taken from there, and a larger number of games continues from those in the folder. Changes to
the search are not detected: after one, measure everything with `--anew` in a new folder.
"""

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import kakomi
from benchmarks.bot_matches import add_worker_options, open_farm_from_options, tell
from benchmarks.figures_file import measured_path
from benchmarks.komi_page import (
    KomiCurve,
    KomiPoint,
    as_toml,
    dated_as_before,
    fitted_curve,
    page_table,
    picture,
    simulations_of,
)
from benchmarks.pages import replace_part
from kakomi.core import Game
from kakomi.core.known_results import FILE, FairKomi, KomiTable, MeasuredKomi, read_komi
from kakomi.core.option import Options
from kakomi.farm import Farm
from kakomi.study.komi import KomiStudy

PAGE = Path(__file__).parent.parent / "docs" / "komi.md"
SIZE = "size"


@dataclass(frozen=True)
class Cell:
    """One board, one strength, and how many games."""

    game: str
    options: Mapping[str, int]
    simulations: int
    games: int

    @property
    def bot(self) -> str:
        """The bot that plays against itself."""
        return f"search:simulations={self.simulations}"

    @property
    def command(self) -> str:
        """The command that measures only this cell."""
        options = " ".join(f"--{name} {value}" for name, value in self.options.items())
        return f"kakomi study komi {self.game} {options} --bot {self.bot} --count {self.games}"


LIN = {
    (5, 3): {100: 200, 400: 200, 1600: 200},
    (5, 4): {100: 400, 400: 200, 1600: 200},
    (5, 5): {100: 200, 400: 200},
    (7, 3): {100: 200, 400: 200},
    (7, 4): {100: 200, 400: 200},
    (7, 5): {100: 1800, 400: 200, 1600: 200},
    (7, 6): {100: 200, 400: 200},
    (9, 6): {100: 3400, 400: 300, 1600: 100},
    (11, 6): {100: 4400, 400: 400},
    (13, 6): {100: 6400, 400: 400},
    (15, 6): {100: 200},
    (17, 6): {100: 100},
    (19, 6): {100: 200},
}
"""By size and length of lines, the number of games by the simulations of the players' search."""
REFERENCE = 400
"""The simulations of the players for whom the curve is published."""


HIGHEST_DRAWN = 20.0
"""The picture's highest komi, where intervals are cut off."""


def _cells() -> Iterator[Cell]:
    """Yield the cells by board, weakest players first."""
    for (size, line), by_strength in LIN.items():
        for simulations, games in by_strength.items():
            yield Cell("lin", {"size": size, "line": line}, simulations, games)


CELLS = tuple(_cells())


def published(game: str) -> dict[str, MeasuredKomi]:
    """Return the cells in the game's `komi.toml`, by command."""
    return {row.command: row for row in kakomi.catalog.describe(game).fair_komis.measured}


def measured(cell: Cell, folder: Path, farm: Farm) -> MeasuredKomi:
    """Play a cell's remaining games and estimate it. Raises ValueError if they don't bound the fair komi."""

    study = KomiStudy(kakomi.game(cell.game, **cell.options), cell.games, bot=cell.bot)
    study.run(farm, folder, lambda done: tell(f"{cell.command}: {done} games"))
    found = study.estimate()
    tell("")
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        raise ValueError(f"{cell.command}: that is too few games to bound the fair komi")
    return MeasuredKomi(
        options=cell.options,
        fair=round(found.fair, 2),
        low=round(found.low, 2),
        high=round(found.high, 2),
        bot=cell.bot,
        scale=round(found.scale, 2),
        games=found.games,
        date=datetime.now(UTC).date().isoformat(),
        command=cell.command,
    )


def curve_of(game: str, rows: Sequence[MeasuredKomi]) -> tuple[KomiCurve, list[FairKomi]]:
    """Return the curve through the boards with default options, and its fair komi for each size, at
    `REFERENCE` simulations."""
    usual = on_curve(game, rows)
    points = [
        KomiPoint(row.options[SIZE], simulations_of(row), row.fair, (row.high - row.low) / (2 * 1.96))
        for row in usual
    ]
    curve = fitted_curve(points)
    told = [
        FairKomi(options=usual_board(game, size), fair=round(fair, 2), low=round(low, 2), high=round(high, 2))
        for size in sizes(game)
        for fair, low, high in [curve.at(size, REFERENCE)]
    ]
    return curve, told


def on_curve(game: str, rows: Sequence[MeasuredKomi]) -> list[MeasuredKomi]:
    """Return the rows whose options, apart from the size, are the defaults."""
    return [row for row in rows if row.options == usual_board(game, row.options[SIZE])]


def by_strength(rows: Sequence[MeasuredKomi]) -> dict[int, list[MeasuredKomi]]:
    """Group rows by simulations, weakest players first."""
    strengths = sorted({simulations_of(row) for row in rows})
    return {one: [row for row in rows if simulations_of(row) == one] for one in strengths}


def sizes(game: str) -> Sequence[int]:
    """Return all sizes of a game."""
    (size,) = (option for option in kakomi.catalog.describe(game).options if option.name == SIZE)
    return size.allowed_given({})


def usual_board(game: str, size: int) -> Options:
    """Return the options, without komi, of a default board of this size."""
    found: Game = kakomi.game(game, size=size)
    return found.description.without_komi(found.options)


def write(game: str, table: KomiTable) -> None:
    """Write a game's table into its folder."""
    description = kakomi.catalog.describe(game)
    rows = dated_as_before(table.measured, description.fair_komis.measured)
    measured_path(description, FILE).write_text(as_toml(replace(table, measured=rows)), encoding="utf-8")
    read_komi.cache_clear()


def draw(game: str, table: KomiTable) -> None:
    """Write the picture of a game's curve for the page."""
    title = f"The fair komi of {kakomi.catalog.describe(game).title}"
    drawn = picture(title, table.curve, by_strength(on_curve(game, table.measured)), HIGHEST_DRAWN)
    (PAGE.parent / "images" / f"{game}-komi.svg").write_text(drawn, encoding="utf-8")


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    known = sorted({cell.game for cell in CELLS})
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="default: all that have cells")
    parser.add_argument("--keep", type=Path, default=Path(".cache/studies"), help="where games are kept")
    add_worker_options(parser)
    parser.add_argument("--anew", action="store_true", help=f"play the cells that {FILE} has as well")
    parser.add_argument("--write", action="store_true", help=f"put the result into {FILE} and {PAGE.name}")
    arguments = parser.parse_args()
    with open_farm_from_options(arguments) as farm:
        for game in arguments.games_named or known:
            kept = {} if arguments.anew else published(game)
            cells = [cell for cell in CELLS if cell.game == game]
            rows = [kept.get(cell.command) or measured(cell, arguments.keep, farm) for cell in cells]
            curve, told = curve_of(game, rows)
            table = KomiTable(tuple(rows), tuple(told))
            if arguments.write:
                write(game, table)
            page = page_table(game, table, curve, REFERENCE)
            print(page, flush=True)
            if arguments.write:
                replace_part(PAGE, game, page)
                draw(game, table)


if __name__ == "__main__":
    main()
