"""Make the tables of docs/suite.md and benchmarks/results/suite.md from benchmarks/results/suite.

    python -m benchmarks.suite [TRACK]... [--write]

`--write` updates them in these files.
"""

import argparse
from pathlib import Path

from benchmarks.pages import replace_part
from kakomi.research.suite import read_result, table

RESULTS = Path(__file__).parent / "results" / "suite"
PAGES = (Path(__file__).parent.parent / "docs" / "suite.md", RESULTS.with_suffix(".md"))


def main() -> None:
    tracks = sorted(folder.name for folder in RESULTS.iterdir())
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suite", description=__doc__.splitlines()[0])
    parser.add_argument("tracks", nargs="*", metavar="TRACK", help=f"default: {', '.join(tracks)}")
    parser.add_argument("--write", action="store_true", help="put the tables into these files")
    arguments = parser.parse_args()
    for track in arguments.tracks or tracks:
        if track not in tracks:
            parser.error(f"there are no results of {track!r}; there are some of {', '.join(tracks)}")
        found = table([read_result(path) for path in sorted((RESULTS / track).glob("*.json"))])
        print(f"{track}\n\n{found}\n")
        if arguments.write:
            page = next(page for page in PAGES if f"<!-- {track} -->" in page.read_text(encoding="utf-8"))
            replace_part(page, track, f"{found}\n")


if __name__ == "__main__":
    main()
