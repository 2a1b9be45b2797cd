"""Samples of large sets of cases, different for each commit.

The seed depends on the commit, so all workers of a run draw the same cases. To repeat a run, set
`KAKOMI_TEST_SEED` to the seed that it printed. With `KAKOMI_TEST_ALL=1` all cases are tested.
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
"""Whether samples contain all cases."""

_OUTSIDE_GIT = "0" * 12


def is_compiled(game: str) -> bool:
    """Whether tests compile more of a game than playing and searching: only for the one that compiles
    fastest."""
    return ALL or game == "rive"


@cache
def seed() -> str:
    """The seed of samples: by default the start of the commit's hash."""
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
    """A sample of `count` cases, in order; `about` makes different samples of the same size differ."""
    everything = list(cases)
    if ALL:
        return everything
    chosen = random.Random(f"{seed()} {about}").sample(range(len(everything)), min(count, len(everything)))
    return [everything[index] for index in sorted(chosen)]
