"""Chances and their errors."""

import random

import pytest

from kakomi.core.returns import share_returns
from kakomi.search.report import chance_of
from kakomi.study.analysis.estimate import Estimate, measured_dispersion, standard_error


@pytest.mark.parametrize("players", range(2, 7))
def test_a_sole_winner_has_the_chance_1_and_a_draw_is_shared(players: int) -> None:
    out = [0.0] * players
    share_returns([1.0] + [0.0] * (players - 1), players, out)
    assert [chance_of(value, players) for value in out] == pytest.approx([1.0] + [0.0] * (players - 1))
    share_returns([1.0] * players, players, out)
    assert [chance_of(value, players) for value in out] == pytest.approx([1 / players] * players)


def test_four_times_the_simulations_halve_the_error_and_none_are_exact() -> None:
    assert standard_error(0.3, 40_000, 1) == pytest.approx(standard_error(0.3, 10_000, 1) / 2, rel=1e-3)
    assert standard_error(0.3, 10_000, 4) == pytest.approx(2 * standard_error(0.3, 10_000, 1))
    assert standard_error(1.0, 100, 1) > 0
    assert standard_error(0.3, 0, 1) == 0


@pytest.mark.parametrize("correlated", [1, 9])
def test_the_dispersion_of_correlated_simulations_is_found(correlated: int) -> None:
    """Simulations that come in equal groups vary as their number divided by the size of a group would."""
    rng = random.Random(5)

    def searched() -> Estimate:
        groups = 200
        chance = sum(rng.random() < 0.3 for _ in range(groups)) / groups
        return Estimate((chance, 1 - chance), groups * correlated)

    found = measured_dispersion((searched(), searched()) for _ in range(400))
    assert found == pytest.approx(correlated, rel=0.25)


def test_the_dispersion_is_never_below_1_and_exact_estimates_say_nothing() -> None:
    exact, open_one = Estimate((1.0, 0.0), 0), Estimate((0.5, 0.5), 100)
    assert measured_dispersion([(exact, open_one), (open_one, open_one)]) == 1
    assert measured_dispersion([]) == 1
