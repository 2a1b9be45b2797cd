"""Run tests, and retry those that fail: `python -m tests.retry tests/browser tests/processes -n 3`.

A test with browsers or processes may fail because the machine is busy. If it passes alone at the end, the run
passes and reports it as flaky, with its first failure in full. More than three flaky tests fail the run, as
does a test that fails again. Arguments after the folders go to pytest. Other tests run in plain pytest, and
are never retried.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
MOST_FLAKY = 3
FAILED = 1
"""Pytest's exit status if tests failed; higher ones mean that it couldn't run them."""
NODE = "node"
"""The property in the report with a test's name for pytest's command line."""


@dataclass(frozen=True)
class Failure:
    """A test that failed."""

    node: str
    text: str


def main(words: Sequence[str]) -> int:
    """Run pytest with arguments, and return its exit status, but 0 if all failures were flaky and few."""
    with tempfile.TemporaryDirectory() as folder:
        status, failures = _run(Path(folder, "first.xml"), words)
        if status != FAILED or not all(failure.node for failure in failures):  # or a worker died
            return status
        print(f"\n{len(failures)} failed; once more, each alone:", flush=True)
        again = {
            failure.node: _run(Path(folder, f"{number}.xml"), ["-q", "-p", "no:xdist", failure.node])[0]
            for number, failure in enumerate(failures)
        }
    flaky = [failure for failure in failures if not again[failure.node]]
    broken = [failure.node for failure in failures if again[failure.node]]
    for failure in flaky:
        print(f"\n== flaky: {failure.node} failed at first and passed alone\n{failure.text}")
    print(f"\n{len(flaky)} flaky, {len(broken)} failed twice")
    for node in broken:
        print(f"failed twice: {node}")
    if len(flaky) > MOST_FLAKY:
        print(f"more than {MOST_FLAKY} flaky tests fail the run")
    return int(bool(broken) or len(flaky) > MOST_FLAKY)


def _run(report: Path, words: Sequence[str]) -> tuple[int, list[Failure]]:
    """Run pytest, and return its exit status and the failures."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.retry", f"--junitxml={report}", *words]
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH", "")]))
    status = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}).returncode
    return status, failures_of(report) if report.exists() else []


def failures_of(report: Path) -> list[Failure]:
    """The failures in a report, one per test, even if both a test and its teardown fail."""
    found: dict[str, str] = {}
    for case in ET.parse(report).getroot().iter("testcase"):
        texts = [wrong.text or "" for kind in ("failure", "error") for wrong in case.iter(kind)]
        if texts:
            nodes = [each.get("value", "") for each in case.iter("property") if each.get("name") == NODE]
            node = nodes[0] if nodes else ""
            found[node] = "\n".join(filter(None, [found.get(node, ""), *texts]))
    return [Failure(node, text) for node, text in found.items()]


def pytest_runtest_setup(item):  # type: ignore[no-untyped-def]
    """Add the test's name to the report, when used as a plugin."""
    item.user_properties.append((NODE, item.nodeid))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
