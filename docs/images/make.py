"""Draws the README's pictures: a position of each game, as the search plays it against itself.

Run it with `python docs/images/make.py`; the pictures are the same each time.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kakomi
from kakomi.core import Position
from kakomi.search import Search


@dataclass(frozen=True)
class Picture:
    """A position to be drawn."""

    plies: int
    simulations: int = 1500
    seed: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    overlays: tuple[str, ...] = ()


PICTURES = {
    "rin": Picture(plies=95, seed=4),
    "rive": Picture(plies=90, simulations=600, options={"size": 5}),
    "lin": Picture(plies=88, overlays=("territory",)),
    "ren": Picture(plies=46, seed=4, overlays=("rui",)),
    "rings": Picture(plies=90, seed=3, options={"size": 5, "players": 4}, overlays=("rings", "majority")),
}


def played(name: str, picture: Picture) -> Position:
    """The position after so many plies, the search playing all sides."""
    game = kakomi.game(name, **picture.options)
    search = Search(game, seed=picture.seed)
    position = game.start()
    while position.ply < picture.plies and not position.is_over:
        report = search.run(position, simulations=picture.simulations)
        position = position.play_action(report.action)
    return position


def main() -> None:
    """Write every picture beside this file."""
    folder = Path(__file__).parent
    for name, picture in PICTURES.items():
        position = played(name, picture)
        (folder / f"{name}.svg").write_text(position.svg(overlays=picture.overlays), encoding="utf-8")
        print(f"{name}.svg: ply {position.ply}")


if __name__ == "__main__":
    main()
