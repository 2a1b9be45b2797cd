"""The dispersion of estimated chances."""

import random

import pytest

from kakomi.analysis.move import measured_dispersion, standard_error
from kakomi.search import Line, Report


def report(chance: float, simulations: int, *, is_proven: bool = False) -> Report:
    returns = (2 * chance - 1, 1 - 2 * chance)
    return Report(0, simulations, 0.0, returns, (Line(0, simulations, returns),), is_proven=is_proven)


def test_four_times_the_simulations_halve_the_error_and_none_are_exact() -> None:
    assert standard_error(0.3, 40_000, 1) == pytest.approx(standard_error(0.3, 10_000, 1) / 2, rel=1e-3)
    assert standard_error(0.3, 10_000, 4) == pytest.approx(2 * standard_error(0.3, 10_000, 1))
    assert standard_error(1.0, 100, 1) > 0
    assert standard_error(0.3, 0, 1) == 0


@pytest.mark.parametrize("correlated", [1, 9])
def test_the_dispersion_of_correlated_simulations_is_found(correlated: int) -> None:
    """Simulations in groups of equal results vary like their number divided by the size of a group."""
    rng = random.Random(5)

    def searched() -> Report:
        groups = 200
        chance = sum(rng.random() < 0.3 for _ in range(groups)) / groups
        return report(chance, groups * correlated)

    found = measured_dispersion((searched(), searched()) for _ in range(400))
    assert found == pytest.approx(correlated, rel=0.25)


def test_the_dispersion_is_never_below_1_and_exact_reports_say_nothing() -> None:
    exact, open_one = report(1.0, 100, is_proven=True), report(0.5, 100)
    assert measured_dispersion([(exact, open_one), (open_one, open_one)]) == 1
    assert measured_dispersion([]) == 1
