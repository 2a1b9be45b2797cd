"""`python -m tests.long`: every stage that hasn't passed at this commit yet; stopped, it goes on from there.

The stages are the tests of this folder, a season of a month, random comparisons with the slow references,
kills, and mutations.
"""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / "tests"))

from long.progress import folder  # noqa: E402
from mutation.rooms import ROOMS  # noqa: E402

NOTHING_LEFT = 5
"""Pytest's exit status where no test was left to run."""


def stages() -> dict[str, list[str]]:
    """Name -> arguments of Python."""
    season = str(folder() / "season")
    workers = os.environ.get("WORKERS", str((os.cpu_count() or 1) + 1))
    return {
        "tests": ["-m", "pytest", "-n", workers, "--dist", "worksteal", "tests/long"],
        "season": ["-m", "tests.season", "--folder", season],
        "soak": ["-m", "tests.soak", "--seconds", "600"],
        "kills": ["-m", "tests.soak.kills", "--kills", "200"],
        **{f"mutants {room}": ["-m", "tests.mutation", room] for room in ROOMS},
    }


def main() -> int:
    """Run what is left; the number of stages that failed."""
    failed = []
    for name, arguments in stages().items():
        passed = folder() / f"{name}.passed"
        if passed.exists():
            print(f"== {name}: passed before at this commit")
            continue
        print(f"== {name}", flush=True)
        status = subprocess.run([sys.executable, *arguments], cwd=PROJECT).returncode
        if status in (0, NOTHING_LEFT):
            passed.touch()
        else:
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all stages passed")
    return len(failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped: the same command goes on from here")
