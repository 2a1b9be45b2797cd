"""Tests that fail once are flaky. Tests that fail twice, or too many failures, fail a run."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import retry
from retry import Failure

PROGRAM = """
from pathlib import Path
import pytest

def fail_at_first(name):
    mark = Path(__file__).with_name(name)
    if not mark.exists():
        mark.touch()
        raise AssertionError(f"the first failure of {name}, in full")

@pytest.fixture
def dirty():
    yield
    fail_at_first("teardown")

@pytest.mark.parametrize("number", [7])
def test_fails_at_first(number):
    fail_at_first("call")

def test_is_left_dirty(dirty):
    pass

def test_passes():
    pass
"""
Runs = Callable[[int, dict[str, int]], list[list[str]]]


def test_those_that_fail_are_run_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "test_some.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # halves the startup time
    assert retry.main(["-p", "no:cacheprovider", "test_some.py"]) == 0
    _, told = capfd.readouterr().out.split("2 failed; once more")
    for node, name in (("test_fails_at_first[7]", "call"), ("test_is_left_dirty", "teardown")):
        assert f"== flaky: test_some.py::{node} failed at first" in told
        assert f"AssertionError: the first failure of {name}, in full" in told
    assert "2 flaky, 0 failed twice" in told


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """A fake pytest with a given status of the first run and of each repeated test."""

    def run_as(first: int, again: dict[str, int]) -> list[list[str]]:
        asked: list[list[str]] = []

        def run(report: Path, words: Sequence[str]) -> tuple[int, list[Failure]]:
            asked.append(list(words))
            if len(asked) == 1:
                return first, [Failure(node, f"why {node} failed") for node in again]
            return again[words[-1]], []

        monkeypatch.setattr(retry, "_run", run)
        return asked

    return run_as


@pytest.mark.parametrize(
    ("again", "status"),
    [([0], 0), ([0] * 3, 0), ([0] * 4, 1), ([1], 1), ([0, 1], 1), ([0, 2], 1)],
)
def test_few_flaky_tests_pass_and_what_fails_twice_does_not(
    runs: Runs, again: list[int], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = runs(1, {f"test_{number}": each for number, each in enumerate(again)})
    assert retry.main(["tests/browser"]) == status
    assert len(asked) == 1 + len(again)
    told = capsys.readouterr().out
    assert [f"why test_{number} failed" in told for number in range(len(again))] == [
        not each for each in again
    ]


@pytest.mark.parametrize("status", [0, 2, 4, 5])
def test_nothing_else_is_retried(runs: Runs, status: int) -> None:
    """Neither a passing run nor one that was interrupted or could not start."""
    asked = runs(status, {"test_0": 0} if status else {})
    assert retry.main(["tests/browser"]) == status and len(asked) == 1


def test_a_worker_that_dies_fails_the_run(runs: Runs) -> None:
    """Its test has no name."""
    asked = runs(1, {"test_0": 0, "": 0})
    assert retry.main(["tests/browser"]) == 1 and len(asked) == 1
