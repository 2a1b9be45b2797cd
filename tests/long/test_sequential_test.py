"""The error rate of `kakomi match --sprt`, over all Elo differences that it accepts."""

import pytest

from kakomi.study.matches import Sprt
from study.matches.test_sprt import errors

TRIALS = 400
KINDS = {
    "plain": {},
    "colours": {"bias": 0.25},
    "drawn": {"drawn": 0.5},
    "mostly drawn": {"drawn": 0.9, "bias": 0.1},
}


@pytest.mark.parametrize("right", ["H0", "H1"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "elos",
    [
        *((elo, elo + 100) for elo in (-1000, -700, -400, -200, -50, 100, 300, 500, 900)),
        (-20, 20),
        (0, 25),
        (-300, 300),
        (0, 1000),
        (-1000, 1000),
    ],
    ids=str,
)
def test_it_errs_as_seldom_as_it_says(elos: tuple[float, float], kind: str, right: str) -> None:
    """The error rate is 5 %, with a tolerance of three standard deviations (3.3 %)."""
    assert errors(Sprt(*elos), right, TRIALS, seed=7, **KINDS[kind]) < 0.083
