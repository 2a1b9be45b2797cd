"""The speed of a game on this machine: playouts, tree search, and single actions from Python."""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.kernel import driver, random_state
from kakomi.kernel.random import draw
from kakomi.search import PlainSearch
from kakomi.search.playout import Playouts

ROUNDS = 5
"""The number of rounds that each median is over."""


@dataclass(frozen=True)
class Speed:
    """The speed of one game on one core; rates are medians over `ROUNDS` rounds.

    The machine's own speed drifts. To compare runs, `calibration` times a fixed loop before each round, in
    millions of random numbers a second.
    """

    game: str
    options: dict[str, int]
    playouts_per_s: float
    actions_per_s: float
    """Plies a second in uniformly random playouts to the end of the game."""
    mean_plies: float
    playouts: int
    """The number of playouts behind `mean_plies`."""
    mean_plies_error: float
    """Standard error of `mean_plies`."""
    simulations_per_s: float
    plies_per_s: float
    """Plies a second inside the tree search: simulations a second times mean plies per simulation."""
    python_plies_per_s: float
    """Plies a second from Python, calling `legal_actions` and `play_action` alternately."""
    calibration: float


@driver
def _draw_many(rng: np.ndarray, n: int) -> None:
    for _ in range(n):
        draw(rng)


def calibrate(seconds: float = 0.05) -> float:
    """How fast a compiled loop draws random numbers at the moment, in millions a second."""
    rng = random_state(0)
    _draw_many(rng, 1)
    n = 100_000
    drawn = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        _draw_many(rng, n)
        drawn += n
    return drawn / elapsed / 1e6


def measure(
    game: Game, seconds: float = 5.0, seed: int = 1, tick: Callable[[], None] = lambda: None
) -> Speed:
    """Measure a game for about `seconds`, not counting compilation. `tick` is called after each round."""
    playout_runner = PlayoutRunner(game, seed)
    share = seconds / ROUNDS / 3
    rounds = []
    for round_number in range(ROUNDS):
        calibration = calibrate()
        played, plies, playout_seconds = playout_runner.run(share)
        search = PlainSearch(game, seed=seed + round_number)
        report = search.run(game.start(), seconds=share)
        python = python_plies_per_second(game, share, seed + round_number)
        rounds.append(
            (
                played / playout_seconds,
                plies / playout_seconds,
                report.simulations / report.seconds,
                report.plies / report.seconds,
                python,
                calibration,
            )
        )
        tick()
    medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
    lengths = playout_runner.mean_lengths
    return Speed(
        game=game.name,
        options=dict(game.options),
        playouts_per_s=medians[0],
        actions_per_s=medians[1],
        mean_plies=playout_runner.plies / playout_runner.played,
        playouts=playout_runner.played,
        mean_plies_error=statistics.stdev(lengths) / len(lengths) ** 0.5,
        simulations_per_s=medians[2],
        plies_per_s=medians[3],
        python_plies_per_s=medians[4],
        calibration=medians[5],
    )


class PlayoutRunner:
    """Runs and counts random playouts of one game in batches; compiles before the clock starts."""

    BATCHES = 20

    def __init__(self, game: Game, seed: int) -> None:
        self._playouts = Playouts(game, seed)
        self.played = 0
        self.plies = 0
        self.mean_lengths: list[float] = []
        """Mean plies of each batch."""
        self._playouts.run(1)  # compiles, or loads
        started = time.perf_counter()
        self._playouts.run(3)
        self._seconds_each = (time.perf_counter() - started) / 3

    def run(self, seconds: float) -> tuple[int, int, float]:
        """Play for about `seconds`, and return playouts, plies and seconds elapsed."""
        batch = max(1, int(seconds / self.BATCHES / self._seconds_each))
        played = plies = 0
        started = time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            batch_plies = self._playouts.run(batch)
            self.mean_lengths.append(batch_plies / batch)
            plies += batch_plies
            played += batch
        self.played += played
        self.plies += plies
        return played, plies, elapsed


def python_plies_per_second(game: Game, seconds: float, seed: int) -> float:
    """Plies a second of random play through `legal_actions` and `play_action`."""
    choose = random.Random(seed).random
    plies = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        position = game.start()
        while not position.is_over:
            actions = position.legal_actions()
            position = position.play_action(actions[int(choose() * len(actions))])
            plies += 1
    return plies / elapsed
