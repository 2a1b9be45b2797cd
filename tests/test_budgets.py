"""The project stays within its budgets, and the measurements detect excess."""

from pathlib import Path

import pytest

import budgets


@pytest.mark.parametrize("name", sorted(budgets.source_size()))
def test_the_source_stays_within_its_budget(name: str) -> None:
    found, most = budgets.source_size()[name], budgets.budgets()[name]
    assert 0 < found <= most, (
        f"{found} {name}, at most {most}: remove something, or see {budgets.DECISION.name}"
    )


def test_times_of_bash_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "make test.times").write_text("0m0.010s 0m0.000s\n9m59.500s 0m10.500s\n")
    (tmp_path / "make check.times").write_text("0m0.000s 0m0.000s\n1m0.000s 0m0.000s\n")
    assert budgets.spent(tmp_path) == {
        "CPU seconds of make check": 60.0,
        "CPU seconds of make test": pytest.approx(610.01),
        "CPU seconds of .ci/run": pytest.approx(670.01),
    }


def test_a_slow_machine_gets_more_processor_time(tmp_path: Path) -> None:
    (tmp_path / "make check.times").write_text("0m0.000s 0m0.000s\n1m0.000s 0m0.000s\n")
    (tmp_path / "make check.pace").write_text(f"{budgets.PACE}\n{3 * budgets.PACE}\n")
    assert budgets.spent(tmp_path)["CPU seconds of make check"] == pytest.approx(30)
