"""`python -m tests.budgets`: the project's size and cost compared with its budgets
(docs/adr/0014-budgets.md).

`.ci/run` adds the processor time of its steps as files written by bash's `times`: `--times FOLDER`. On a
machine with busy neighbours the same work takes twice the processor time, so `--pace FILE` times fixed work
during each step.
"""

import argparse
import re
import statistics
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DECISION = PROJECT / "docs" / "adr" / "0014-budgets.md"
KERNELS = PROJECT / ".cache" / "kernels"
TOLERANCE = 2
"""Processor time varies between runs, so only exceeding its budget by this factor fails."""
PACE = 0.0125
"""The processor time in seconds of `_fixed_work` on the reference machine of the budgets, idle."""
PAUSE = 2.0
"""The interval between measurements of the pace, in seconds."""


def budgets() -> dict[str, int]:
    """The budgets in the decision's table: name → limit."""
    rows = re.findall(r"^\| ([^|]+?) \| +([\d,]+) \|$", DECISION.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: int(most.replace(",", "")) for name, most in rows}


def source_size(tree: Path = PROJECT) -> dict[str, int]:
    """The size of the source, without migrations, which Django generates."""
    files = [path for path in (tree / "src").rglob("*.py") if "migrations" not in path.parts]
    settings = (tree / "src/kakomi/server/settings.py").read_text(encoding="utf-8")
    return {
        "source files": len(files),
        "source lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files),
        "Django apps": len(re.findall(r'^    "kakomi\.server\.', _list_of_apps(settings), re.MULTILINE)),
    }


def _list_of_apps(settings: str) -> str:
    return settings.partition("INSTALLED_APPS = [")[2].partition("]")[0]


def seconds(times: str) -> float:
    """The processor time in the output of bash's `times`: user and system, of the shell and its children."""
    return sum(60 * int(minutes) + float(rest) for minutes, rest in re.findall(r"(\d+)m([\d.]+)s", times))


def spent(folder: Path) -> dict[str, float]:
    """The processor time of each step of .ci/run and in total, converted to the reference machine."""
    steps = {
        f"CPU seconds of {path.stem}": seconds(path.read_text()) / slowdown(path.with_suffix(".pace"))
        for path in sorted(folder.glob("*.times"))
    }
    return {**steps, "CPU seconds of .ci/run": sum(steps.values())}


def slowdown(measured: Path) -> float:
    """The factor by which the fixed work took longer during a step than on the reference machine; at least
    1."""
    samples = [float(line) for line in measured.read_text().split()] if measured.exists() else []
    return max(1.0, statistics.fmean(samples or [PACE]) / PACE)


def measure_pace(into: Path) -> None:
    """Append the processor time of the fixed work repeatedly, until the process is ended."""
    while True:
        started = time.process_time()
        _fixed_work()
        with into.open("a") as file:
            file.write(f"{time.process_time() - started:.4f}\n")
        time.sleep(PAUSE)


def _fixed_work() -> None:
    for factor in range(60):
        sums: dict[int, int] = {}
        for number in range(2000):
            key = number * factor % 997
            sums[key] = sums.get(key, 0) + number


def main() -> int:
    """Print each figure with its budget, and return the number of exceeded budgets."""
    arguments = argparse.ArgumentParser(prog="budgets", description=__doc__)
    arguments.add_argument("--times", type=Path, help="a folder of files NAME.times, one for each step")
    arguments.add_argument("--drivers", action="store_true", help="count those that are compiled now")
    arguments.add_argument("--pace", type=Path, metavar="FILE", help="time fixed work into it until ended")
    chosen = arguments.parse_args()
    if chosen.pace:
        measure_pace(chosen.pace)
    figures: dict[str, float] = {**source_size()}
    if chosen.drivers:
        figures["compiled drivers"] = len(list(KERNELS.glob("*.kernel")))
    if chosen.times:
        figures |= spent(chosen.times)
        paces = ", ".join(f"{path.stem} {slowdown(path):.2f}" for path in sorted(chosen.times.glob("*.pace")))
        print(f"CPU seconds are divided by how much slower the machine was beside each step: {paces}")
    most, exceeded = budgets(), 0
    for name, figure in figures.items():
        limit = most.get(name)
        allowed = limit and limit * (TOLERANCE if name.startswith("CPU") else 1)
        is_over = allowed is not None and figure > allowed
        exceeded += is_over
        beside = f"of {limit:,}" if limit else ""
        print(f"{name:32} {figure:10,.0f}  {beside:10} {'EXCEEDED' if is_over else ''}")
    return exceeded


if __name__ == "__main__":
    sys.exit(main())
