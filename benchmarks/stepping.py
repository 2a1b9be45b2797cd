"""Timing ways to step many games in turn, so that ratios stay valid when the machine's speed drifts."""

import time
from collections.abc import Callable, Sequence

import numpy as np

ROUNDS = 5
Step = Callable[[], object]
"""Steps n games."""


def timed_in_turn(sides: Sequence[Step], n: int, seconds: float) -> np.ndarray:
    """Return steps of single games per second (rounds, sides). Each side takes `seconds` over all rounds."""
    return np.array([[_steps_per_second(side, n, seconds / ROUNDS) for side in sides] for _ in range(ROUNDS)])


def spread(ratios: np.ndarray) -> str:
    """Return the median over rounds, with the smallest and the largest."""
    return f"{np.median(ratios):.1f} ({ratios.min():.1f}–{ratios.max():.1f})"


def _steps_per_second(step: Step, n: int, seconds: float) -> float:
    step()  # compiles
    steps = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        step()
        steps += n
    return steps / elapsed
