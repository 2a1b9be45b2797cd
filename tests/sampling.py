"""Samples of large sets of cases: each commit tests others.

The seed follows from the commit, so all workers of a run draw the same cases, and a run can be repeated:
`KAKOMI_TEST_SEED` sets the seed that a run has printed. With `KAKOMI_TEST_ALL=1` nothing is left out.
"""

import os
import random
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ALL = bool(os.environ.get("KAKOMI_TEST_ALL"))
"""Whether samples hold all cases."""

_OUTSIDE_GIT = "0" * 12


def is_compiled(game: str) -> bool:
    """Whether tests compile more than what plays and searches: for the game that compiles fastest."""
    return ALL or game == "rive"


@cache
def seed() -> str:
    """What samples are drawn by: the beginning of the commit's name."""
    if chosen := os.environ.get("KAKOMI_TEST_SEED"):
        return chosen
    try:
        shown = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=Path(__file__).resolve().parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return _OUTSIDE_GIT
    return shown[:12]


def sample(cases: Iterable[T], count: int, about: str = "") -> list[T]:
    """So many of the cases, in their order; `about` makes two samples of one size differ."""
    everything = list(cases)
    if ALL:
        return everything
    chosen = random.Random(f"{seed()} {about}").sample(range(len(everything)), min(count, len(everything)))
    return [everything[index] for index in sorted(chosen)]
