"""The stored results of the benchmark suite are consistent; the opponents' actions are computed again."""

from pathlib import Path

import pytest

from kakomi.research.suite import faults, read_result

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "suite"


@pytest.mark.parametrize(
    "path", sorted(RESULTS.glob("*/*.json")), ids=lambda path: f"{path.parent.name} {path.stem}"
)
def test_results_that_are_kept_are_sound(path: Path) -> None:
    """Opponents may play slightly differently on another processor, or after a change of the search."""
    result = read_result(path)
    assert result.track == f"kakomi-suite/{path.parent.name}" and result.seeds == 5
    assert [fault for fault in faults(result) if fault != "the opponents played otherwise"] == []
