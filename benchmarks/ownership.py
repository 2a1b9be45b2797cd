"""Measure how well playouts foresee the owners of points and the leads, on games of the search with itself.

    python -m benchmarks.ownership [--games 10] [--simulations 1000] [--write]

Each game begins with four random plies. The figures are for the positions a quarter, half and three quarters
through each game. Finished games stay in `.cache/ownership`; --write puts the tables into docs/analyse.md.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

import kakomi
from benchmarks.pages import replace_part
from kakomi.core import Game, Position
from kakomi.core.system import replace_file
from kakomi.kernel.records import EMPTY
from kakomi.learn.games import judged
from kakomi.search import Search
from kakomi.search.playout import PLAYOUTS, ownership
from kakomi.search.report import leads_of

BOARDS: tuple[tuple[str, dict[str, int]], ...] = (
    *((name, {}) for name in ("lin", "ren", "rin", "rings")),
    ("rings", {"size": 4, "players": 3}),
    ("rings", {"size": 4, "players": 6}),
    ("rive", {}),
)
OPENING = 4
"""Random plies at the start of each game."""
STAGES = (25, 50, 75)
"""Percent of a game's actions."""
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The limits of the shares that the table on calibration puts together."""
ROOT = Path(__file__).resolve().parent.parent
GAMES, PAGE = ROOT / ".cache" / "ownership", ROOT / "docs" / "analyse.md"


@dataclass(frozen=True)
class Sample:
    """One position of a game, and how it was judged."""

    stage: int
    briers: tuple[float, float, float]
    """Of the estimate, of the owners at the time, and of equal shares: the mean over points of the summed
    squared errors of all owners' probabilities, nobody's included."""
    errors: np.ndarray
    """The players' leads in the end less the estimated ones."""
    spreads: np.ndarray
    likeliest: np.ndarray
    """The largest share of each point."""
    came_true: np.ndarray
    """Whether that player owned it in the end."""


def actions_of(name: str, options: dict[str, int], number: int, simulations: int) -> list[str]:
    """The actions of a game, from its file or played now."""
    board = "-".join(f"{key}{value}" for key, value in options.items())
    path = GAMES / f"{name}{board}-{simulations}-{number}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(played(name, options, number, simulations)).encode())
    found: list[str] = json.loads(path.read_text())
    return found


def played(name: str, options: dict[str, int], number: int, simulations: int) -> list[str]:
    """The actions of a new game of the search with itself."""
    game = kakomi.game(name, **options)
    chance, search = random.Random(f"{name}{options}{number}"), Search(game, seed=1000 * number + 7)
    position = game.start()
    while not position.is_over and position.ply != game.cut_off:
        opening = position.ply < OPENING
        legal = position.legal_actions() if opening else []
        action = chance.choice(legal) if opening else search.run(position, simulations=simulations).action
        position = position.play_action(action)
    return [game.action_texts[action] for action in position.played()]


def samples(game: Game, actions: Sequence[str], seed: int) -> Iterator[Sample]:
    """The positions of one game that are measured."""
    positions = [game.start()]
    for action in actions:
        positions.append(positions[-1].play(action))
    scores, owners = _judged(positions[-1])
    for stage in STAGES:
        position = positions[len(actions) * stage // 100]
        found = ownership(position, PLAYOUTS, seed=seed)
        equal = np.full(found.owner.shape, 1 / game.players)
        now = np.where(
            _judged(position)[1][:, None] == EMPTY, equal, _certain(_judged(position)[1], game.players)
        )
        yield Sample(
            stage,
            (brier(found.owner, owners), brier(now, owners), brier(equal, owners)),
            (leads_of(scores[None])[0] - found.lead)[: None if game.players > 2 else 1],
            found.spread[: None if game.players > 2 else 1],
            found.owner.max(axis=1),
            found.owner.argmax(axis=1) == owners,
        )


def brier(shares: np.ndarray, owners: np.ndarray) -> float:
    """The Brier score of shares [points, players] for the owners in the end: 0 is perfect, 2 all wrong."""
    players = shares.shape[1]
    every = np.concatenate([shares, 1 - shares.sum(axis=1, keepdims=True)], axis=1)
    return float(((every - _certain(owners, players + 1)) ** 2).sum(axis=1).mean())


def _certain(owners: np.ndarray, width: int) -> np.ndarray:
    """1 for the owner of each point, with nobody as the last of `width`."""
    return (np.where(owners == EMPTY, width - 1, owners)[:, None] == np.arange(width)).astype(float)


def _judged(position: Position) -> tuple[np.ndarray, np.ndarray]:
    scores, owners = judged(position.game, position.states())
    return scores[0], owners[0]


def accuracy_rows(board: str, found: Sequence[Sample]) -> Iterator[str]:
    """The rows of a board, one for each stage."""
    for stage in STAGES:
        chosen = [one for one in found if one.stage == stage]
        briers = np.array([one.briers for one in chosen])
        error = 1.96 * briers[:, 0].std(ddof=1) / len(chosen) ** 0.5
        errors, spreads = (
            np.concatenate([getattr(one, name) for one in chosen]) for name in ("errors", "spreads")
        )
        within = [f"{100 * (np.abs(errors) <= k * spreads).mean():.0f} %" for k in (1, 2)]
        yield (
            f"| {board} | {stage} % | {len(chosen)} | {briers[:, 0].mean():.2f} ± {error:.2f} "
            f"| {briers[:, 1].mean():.2f} | {briers[:, 2].mean():.2f} | {_size(errors):.1f} "
            f"| {_size(spreads):.1f} | {within[0]} | {within[1]} |"
        )


def _size(numbers: np.ndarray) -> float:
    return float(np.sqrt((numbers**2).mean()))


def calibration_row(board: str, found: Sequence[Sample]) -> str:
    """How often the likeliest player came to own a point, by their share."""
    shares, came = (
        np.concatenate([getattr(one, name) for one in found]) for name in ("likeliest", "came_true")
    )
    cells = []
    for low, high in pairwise(BINS):
        inside = (shares >= low) & ((shares < high) | (high == 1))
        cells.append(f"{100 * came[inside].mean():.0f} % ({inside.sum():,})" if inside.any() else "–")
    return f"| {board} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ownership", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=10, help="for each board (default 10)")
    parser.add_argument("--simulations", type=int, default=1000, help="an action (default 1000)")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/analyse.md")
    chosen = parser.parse_args()
    accuracy = [
        "| board | through | games | Brier | owners now | equal | off by | spread | within 1 | within 2 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    calibration = [
        "| board | "
        + " | ".join(f"{100 * low:.0f}–{100 * high:.0f} %" for low, high in pairwise(BINS))
        + " |",
        "| --- |" + " ---: |" * (len(BINS) - 1),
    ]
    for name, options in BOARDS:
        game = kakomi.game(name, **options)
        board = " ".join([game.description.title, str(game.geometry.size)])
        board += f", {game.players} players" if game.players > 2 else ""
        found = [
            one
            for number in range(chosen.games)
            for one in samples(game, actions_of(name, options, number, chosen.simulations), number)
        ]
        accuracy += accuracy_rows(board, found)
        calibration.append(calibration_row(board, found))
        print(*accuracy[-len(STAGES) :], calibration[-1], sep="\n", flush=True)
    if chosen.write:
        for part, rows in (("accuracy", accuracy), ("calibration", calibration)):
            replace_part(PAGE, part, "".join(f"{row}\n" for row in rows))


if __name__ == "__main__":
    main()
