"""Count what a reader and a machine have to get through: files, lines, imports, tests.

    python -m benchmarks.house [--base abd382e] [--json] [--save]

`--base` puts another commit beside this working tree, checked out in a temporary folder. An import's time is
the least of several fresh interpreters.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import results

PROJECT = Path(__file__).resolve().parent.parent
IMPORTED = ("kakomi", "kakomi.core", "kakomi.research", "kakomi.cli.main")
INTERPRETERS = 5
LONGEST_LINES = 400


def count_sources(tree: Path) -> dict[str, float]:
    """Files, and lines a file. Migrations are written by a program and do not count."""
    files = [path for path in (tree / "src").rglob("*.py") if "migrations" not in path.parts]
    lines = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    named = [n for path, n in zip(files, lines, strict=True) if path.name != "__init__.py"]
    return {
        "source files": len(files),
        "lines": sum(lines),
        "lines of the median file": statistics.median(lines),
        "lines of the longest file": max(lines),
        f"files above {LONGEST_LINES} lines": sum(n > LONGEST_LINES for n in lines),
        "files under 30 lines, without __init__": sum(n < 30 for n in named),
        "test files": len(list((tree / "tests").rglob("test_*.py"))),
    }


def count_tests(tree: Path) -> int:
    """The tests that pytest collects; 0 if it can't."""
    done = run(tree, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider")
    found = re.search(r"^(\d+) tests collected", done.stdout, re.MULTILINE)
    return int(found[1]) if found else 0


def time_import(tree: Path, module: str) -> float:
    """Milliseconds that a module takes beyond an interpreter that imports nothing."""
    code = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
    times = [float(run(tree, "-c", code).stdout or "nan") for _ in range(INTERPRETERS)]
    return round(min(times) * 1000, 1)


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)


def measure(tree: Path) -> dict[str, float]:
    figures = count_sources(tree)
    figures["tests"] = count_tests(tree)
    return figures | {f"import {module}, ms": time_import(tree, module) for module in IMPORTED}


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The files of a commit in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="kakomi-house-") as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=PROJECT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        yield Path(folder)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--base", help="a commit to put beside this working tree")
    arguments.add_argument("--json", action="store_true", help="for programs")
    arguments.add_argument("--save", action="store_true", help="keep the figures in benchmarks/results")
    chosen = arguments.parse_args()
    columns = {}
    if chosen.base:
        with checked_out(chosen.base) as tree:
            columns[chosen.base] = measure(tree)
    columns["now"] = measure(PROJECT)
    if chosen.save:
        print(results.save("house", columns["now"]), file=sys.stderr)
    if chosen.json:
        print(json.dumps(columns, indent=2))
        return
    print(f"| | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}")
    for name in columns["now"]:
        print(f"| {name} | {' | '.join(f'{figures[name]:,g}' for figures in columns.values())} |")


if __name__ == "__main__":
    main()
