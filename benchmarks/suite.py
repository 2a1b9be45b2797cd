"""The tables of docs/suite.md, from the results in benchmarks/results/suite.

    python -m benchmarks.suite [TRACK]... [--write]

`--write` puts them into the page.
"""

import argparse
from pathlib import Path

from benchmarks.pages import replace_part
from kakomi.research.suite import read_result, table

PAGE = Path(__file__).parent.parent / "docs" / "suite.md"
RESULTS = Path(__file__).parent / "results" / "suite"


def main() -> None:
    tracks = sorted(folder.name for folder in RESULTS.iterdir())
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suite", description=__doc__.splitlines()[0])
    parser.add_argument("tracks", nargs="*", metavar="TRACK", help=f"default: {', '.join(tracks)}")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    arguments = parser.parse_args()
    for track in arguments.tracks or tracks:
        if track not in tracks:
            parser.error(f"there are no results of {track!r}; there are some of {', '.join(tracks)}")
        found = table([read_result(path) for path in sorted((RESULTS / track).glob("*.json"))])
        print(f"{track}\n\n{found}\n")
        if arguments.write:
            replace_part(PAGE, track, f"{found}\n")


if __name__ == "__main__":
    main()
