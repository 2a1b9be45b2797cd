"""A short version of the soak test: some rounds of each kind, with fixed seeds."""

import random
from collections.abc import Callable

import pytest

from soak.rounds import ROUNDS


@pytest.mark.parametrize("check", list(dict.fromkeys(ROUNDS)), ids=lambda check: check.__name__)
def test_rounds(check: Callable[[random.Random], None]) -> None:
    for seed in range(6):
        check(random.Random(seed))
