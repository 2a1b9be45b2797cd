"""Resuming an interrupted run: tests that have passed at this commit are deselected."""

from typing import Any

import pytest

from long.progress import folder


def pytest_configure_node(node: Any) -> None:
    """Send the passed tests to the xdist workers, which must all deselect the same ones."""
    node.workerinput["passed"] = _passed()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    passed = set(getattr(config, "workerinput", {}).get("passed") or _passed())
    done = [item for item in items if item.nodeid in passed]
    if done:
        config.hook.pytest_deselected(items=done)
        items[:] = [item for item in items if item.nodeid not in passed]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a passed test after its teardown, as some fixtures check for errors at the end."""
    if report.when == "call" and report.passed:
        _CALLED.add(report.nodeid)
    if report.when == "teardown" and report.passed and report.nodeid in _CALLED:
        with (folder() / "tests.txt").open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


_CALLED: set[str] = set()


def _passed() -> list[str]:
    file = folder() / "tests.txt"
    return sorted(set(file.read_text(encoding="utf-8").splitlines())) if file.exists() else []
