"""`pytest -p tests.processor_time`: the processor time of each test file, including processes that it starts.

On Linux only; works with `-n`. Services that run anyway, such as PostgreSQL, aren't counted. A shared fixture
counts for the file whose test uses it first in a worker.

Pytest adopts processes whose parent has ended, but doesn't wait for them. So tests that check whether a
process group is gone fail with this plugin, such as two in `cli/test_match.py`.
"""

import ctypes
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): orphaned processes become children of this one, and are counted."""
_SECONDS = defaultdict[str, float](float)
_TESTS: Counter[str] = Counter()


def pytest_configure() -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = processor_time()
    result = yield
    file = item.nodeid.partition("::")[0]
    _SECONDS[file] += processor_time() - before
    _TESTS[file] += 1
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)  # in an xdist worker
    if output is not None:
        output["processor_time"] = {file: [seconds, _TESTS[file]] for file, seconds in _SECONDS.items()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    for file, (seconds, tests) in getattr(node, "workeroutput", {}).get("processor_time", {}).items():
        _SECONDS[file] += seconds
        _TESTS[file] += tests


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("processor time")
    for file, seconds in sorted(_SECONDS.items(), key=lambda found: -found[1]):
        terminalreporter.line(f"{seconds:8.1f} s  {_TESTS[file]:5} tests  {file}")


def processor_time() -> float:
    """User and system seconds of this process and all of its descendants that are alive or were waited
    for."""
    children, ticks = defaultdict[int, list[int]](list), dict[int, int]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = folder.joinpath("stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        children[int(fields[1])].append(int(folder.name))
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
    waiting, total = [os.getpid()], 0
    while waiting:
        pid = waiting.pop()
        total += ticks.get(pid, 0)
        waiting += children[pid]
    return total / os.sysconf("SC_CLK_TCK")
