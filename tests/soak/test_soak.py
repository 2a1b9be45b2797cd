"""A short form of the soak: a few rounds of each kind, with fixed seeds."""

import random
from collections.abc import Callable

import pytest

from soak.rounds import ROUNDS


@pytest.mark.parametrize("check", list(dict.fromkeys(ROUNDS)), ids=lambda check: check.__name__)
@pytest.mark.parametrize("seed", range(4))
def test_rounds(check: Callable[[random.Random], None], seed: int) -> None:
    check(random.Random(seed))
