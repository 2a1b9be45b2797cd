"""Measure what each seat is worth, and what repairs change: `python -m benchmarks.seats --write`.

Plays the cells below, as `kakomi study seats` does, and with `--write` puts tables and a picture into
docs/seats.md. Finished games are kept, so the same command resumes. To measure more, change `CELLS`: a larger
number of games continues from those that are there.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import kakomi
from benchmarks.bot_matches import add_worker_options, open_farm_from_options, tell
from benchmarks.pages import replace_part
from benchmarks.seats_page import pages, picture
from kakomi.farm import Farm
from kakomi.study.seats import BoardFigures, SeatStudy, corrected

PAGE = Path(__file__).parent.parent / "docs" / "seats.md"
PICTURE = PAGE.parent / "images" / "seats.svg"


@dataclass(frozen=True)
class Cell:
    """Boards of a game, and the number of games of a search against itself on each."""

    game: str
    sizes: tuple[int, ...]
    simulations: int
    games: int
    players: tuple[int, ...] = ()
    tried: Mapping[str, int] = field(default_factory=dict)
    position: str = ""

    @property
    def bot(self) -> str:
        """The bot that plays."""
        return f"search:simulations={self.simulations}"

    @property
    def command(self) -> str:
        """The command that measures this cell."""
        parts = [
            f"kakomi study seats {self.game}",
            _option("size", self.sizes),
            _option("players", self.players),
        ]
        parts += [f"--try {name}={value}" for name, value in self.tried.items()]
        parts += [f"--bot {self.bot} --count {self.games}"]
        parts += [f"--position '{self.position}'"] if self.position else []
        return " ".join(filter(None, parts))

    @property
    def studies(self) -> list[SeatStudy]:
        """A study of each board."""
        boards = [
            kakomi.game(self.game, size=size, **({"players": count} if count else {}))
            for size in self.sizes
            for count in self.players or (0,)
        ]
        tried = [{name: value} for name, value in self.tried.items()]
        return [
            SeatStudy(board, self.games, bot=self.bot, position=self.position, tried=tried)
            for board in boards
        ]


def _option(name: str, values: tuple[int, ...]) -> str:
    if not values:
        return ""
    many = name if name == "players" else f"{name}s"
    return f"--{name if len(values) == 1 else many} {','.join(map(str, values))}"


SECOND_STONE = {size: "/".join([str(size)] * size) + " b left_in_turn=2" for size in (6, 8)}
"""Boards of Rin where Black's first turn has a second stone, like all later turns (RULES R1)."""

CELLS = (
    Cell("ren", (6, 8), 200, 400, tried={"lead": 6}),
    Cell("rive", (3,), 200, 400),
    Cell("rings", (2, 3), 200, 400),
    Cell("lin", (5, 7), 200, 400),
    Cell("rin", (6, 8), 200, 400),
    Cell("rings", (3,), 200, 400, players=(3, 4, 5, 6)),
    Cell("rin", (6,), 200, 400, position=SECOND_STONE[6]),
    Cell("rin", (8,), 200, 400, position=SECOND_STONE[8]),
    Cell("lin", (9,), 100, 200),
    Cell("ren", (10,), 100, 200, tried={"lead": 6}),
    Cell("rin", (10,), 100, 200),
)
"""Small boards come first, so that an interrupted run covers every game."""


def measured(cell: Cell, folder: Path, farm: Farm) -> tuple[BoardFigures, ...]:
    """Play the remaining games of a cell and return the figures of its boards."""
    found = []
    for study in cell.studies:
        study.run(farm, folder, lambda done: tell(f"{cell.command}: {done} games"))
        found.append(study.figures())
    tell("")
    return corrected(found)


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--keep", type=Path, default=Path(".cache/studies"), help="where games are kept")
    parser.add_argument("--write", action="store_true", help=f"put the result into {PAGE.name}")
    add_worker_options(parser)
    arguments = parser.parse_args()
    found: list[tuple[Cell, tuple[BoardFigures, ...]]] = []
    with open_farm_from_options(arguments) as farm:
        for cell in CELLS:
            found.append((cell, measured(cell, arguments.keep, farm)))
            print(f"{cell.command}: done", flush=True)
    for name, text in pages(found).items():
        print(text, flush=True)
        if arguments.write:
            replace_part(PAGE, name, text)
    if arguments.write:
        PICTURE.write_text(picture(found), encoding="utf-8")


if __name__ == "__main__":
    main()
