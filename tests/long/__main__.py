"""`python -m tests.long`: run every stage that hasn't passed at this commit yet, so a run can be resumed.

The stages are the tests of this folder, a season of a month, random comparisons with slow reference
implementations, kills, and mutations.
"""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / "tests"))

from long.progress import folder  # noqa: E402
from mutation.targets import TARGETS  # noqa: E402

NOTHING_LEFT = 5
"""Pytest's exit status if no tests were collected."""


def stages() -> dict[str, list[str]]:
    """The arguments for Python by stage name."""
    season = str(folder() / "season")
    workers = os.environ.get("WORKERS", str((os.cpu_count() or 1) + 1))
    return {
        "tests": ["-m", "pytest", "-n", workers, "--dist", "worksteal", "tests/long"],
        "season": ["-m", "tests.season", "--folder", season],
        "soak": ["-m", "tests.soak", "--seconds", "600"],
        "kills": ["-m", "tests.soak.kills", "--kills", "200"],
        **{f"mutants {target}": ["-m", "tests.mutation", target] for target in TARGETS},
    }


def main() -> int:
    """Run the remaining stages, and return how many failed."""
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
