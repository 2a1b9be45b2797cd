"""docs/suite.md and benchmarks/results/suite.md agree with the code and the stored results."""

import re
from pathlib import Path

import pytest

from kakomi.research.suite import read_result, table, tracks

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "suite.md").read_text(encoding="utf-8")
RESULTS = ROOT / "benchmarks" / "results" / "suite"


def part(name: str) -> str:
    """The text between the markers with a name."""
    pages = PAGE + RESULTS.with_suffix(".md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", pages, re.DOTALL)
    return str(found).strip()


@pytest.mark.parametrize("track", sorted(folder.name for folder in RESULTS.iterdir()))
def test_tables_show_the_results_that_are_kept(track: str) -> None:
    results = [read_result(path) for path in sorted((RESULTS / track).glob("*.json"))]
    assert len(results) >= 3
    assert part(track) == table(results)


def test_every_track_is_told_of() -> None:
    for track in tracks():
        assert f"| `{track.name}` |" in PAGE
