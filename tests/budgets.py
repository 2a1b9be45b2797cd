"""`python -m tests.budgets`: the project's size and cost beside its budgets (docs/adr/0014-budgets.md).

`.ci/run` adds the processor time of its steps, as files that bash's `times` wrote: `--times FOLDER`.
"""

import argparse
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DECISION = PROJECT / "docs" / "adr" / "0014-budgets.md"
KERNELS = PROJECT / ".cache" / "kernels"
TOLERANCE = 2
"""Processor time differs between machines, so only this multiple of its budget fails."""


def budgets() -> dict[str, int]:
    """The decision's table: what is limited, and to how much."""
    rows = re.findall(r"^\| ([^|]+?) \| +([\d,]+) \|$", DECISION.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: int(most.replace(",", "")) for name, most in rows}


def source_size(tree: Path = PROJECT) -> dict[str, int]:
    """How large the source is. Django writes migrations, so they don't count."""
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
    """The processor time in what bash's `times` prints: user and system, of the shell and its children."""
    return sum(60 * int(minutes) + float(rest) for minutes, rest in re.findall(r"(\d+)m([\d.]+)s", times))


def spent(folder: Path) -> dict[str, float]:
    """The processor time of each step of .ci/run, and of all together."""
    steps = {
        f"CPU seconds of {path.stem}": seconds(path.read_text()) for path in sorted(folder.glob("*.times"))
    }
    return {**steps, "CPU seconds of .ci/run": sum(steps.values())}


def main() -> int:
    """Print each figure with its budget; the number of budgets that are exceeded."""
    arguments = argparse.ArgumentParser(prog="budgets", description=__doc__)
    arguments.add_argument("--times", type=Path, help="a folder of files NAME.times, one for each step")
    arguments.add_argument("--drivers", action="store_true", help="count those that are compiled now")
    chosen = arguments.parse_args()
    figures: dict[str, float] = {**source_size()}
    if chosen.drivers:
        figures["compiled drivers"] = len(list(KERNELS.glob("*.kernel")))
    if chosen.times:
        figures |= spent(chosen.times)
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
