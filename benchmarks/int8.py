"""What a run's last network loses and gains in int8.

    python -m benchmarks.int8 FOLDER [--positions 800] [--seed 1]

FOLDER is that of a run of `kakomi learn`. Positions are drawn from its games: those to calibrate by from the
first half, those to compare in from the last tenth. Positions of one game are alike, so each gives one. The
share in which both find the same action likeliest has a 95 % interval. Times are of the processor.
"""

import argparse
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

import kakomi
from benchmarks.advice import EVALUATIONS, evaluate_often, fastest
from kakomi.core import Position
from kakomi.learn.evaluators import open_evaluator
from kakomi.learn.export import agreement, quantize
from kakomi.learn.game_log import games_in
from kakomi.learn.training_game import TrainingGame
from kakomi.study.tournament import estimated

CALIBRATED = 600
TOGETHER = (1, 32)
ROUNDS = 5


def drawn(games: Sequence[TrainingGame], count: int, rng: np.random.Generator) -> list[Position]:
    """A position of each of so many games, of all if there are fewer."""
    chosen = rng.permutation(len(games))[:count]
    return [_position(games[number], rng) for number in chosen.tolist()]


def _position(played: TrainingGame, rng: np.random.Generator) -> Position:
    position = played.game.start()
    for action in played.actions[: int(rng.integers(len(played.actions)))]:
        position = position.play_action(action)
    return position


def main() -> None:
    """See the module's description."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    network = max(chosen.folder.glob("checkpoints/*.onnx"))
    games = list(games_in(chosen.folder / "games.jsonl", kakomi.game))
    rng = np.random.default_rng(chosen.seed)
    calibrated = drawn(games[: len(games) // 2], CALIBRATED, rng)
    compared = drawn(games[-max(1, len(games) // 10) :], chosen.positions, rng)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "int8.onnx"
        quantize(network, calibrated, small)
        same = estimated([agreement(network, small, [position]) for position in compared], 1)
        print(f"{network}: {network.stat().st_size:,} bytes, in int8 {small.stat().st_size:,}")
        share = f"{100 * same.score:.1f} % ({100 * same.low:.1f}–{100 * same.high:.1f})"
        print(f"the same first choice in {share} of {len(compared)} positions")
        for count in TOGETHER:
            for name, file in (("float", network), ("int8", small)):
                evaluator = open_evaluator(file, compared[0].game, count)
                seconds = fastest(ROUNDS, partial(evaluate_often, evaluator))
                each = 1e6 * seconds / EVALUATIONS / count
                print(f"{name:5} {count:2} positions at a time: {each:6.1f} µs a position")


if __name__ == "__main__":
    main()
