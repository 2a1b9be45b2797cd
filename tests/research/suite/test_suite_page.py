"""docs/suite.md shows what the code and the results that are kept say."""

import re
from pathlib import Path

import pytest

from kakomi.research.suite import find_track, read_result, table, tracks
from kakomi.research.suite.cards import card

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "suite.md").read_text(encoding="utf-8")
RESULTS = ROOT / "benchmarks" / "results" / "suite"


def part(name: str) -> str:
    """What stands between the marks of a name."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", PAGE, re.DOTALL)
    assert found
    return found[1].strip()


@pytest.mark.parametrize("track", sorted(folder.name for folder in RESULTS.iterdir()))
def test_tables_show_the_results_that_are_kept(track: str) -> None:
    results = [read_result(path) for path in sorted((RESULTS / track).glob("*.json"))]
    assert len(results) >= 3
    assert part(track) == table(results)


def test_cards_are_those_of_the_code() -> None:
    assert part("cards") == "\n".join(card(task.found_game) for task in find_track("mini-v1").tasks).strip()


def test_every_track_is_told_of() -> None:
    for track in tracks():
        assert f"| `{track.name}` |" in PAGE
