"""The references' counts of action sequences agree with stored counts and with the compiled rules."""

import pytest

from reference import make
from reference.perft import perft, position_of, recorded


@pytest.mark.parametrize(
    ("game", "options", "counts"),
    [
        ("rin", {"size": 4}, [1, 16, 16 * 15, 16 * 15 * 14]),
        ("rin", {}, [1, 256, 256 * 255]),
        ("rive", {"size": 2}, [1, 7, 6 * 3 + 6]),
        ("rive", {}, [1, 37, 37 * 36 - 2 * 90]),  # 90 pairs of neighbours
        ("lin", {"size": 5}, [1, 25, 25 * 24, 25 * 24 * 23]),
        ("lin", {}, [1, 169, 169 * 168]),
        ("ren", {"size": 4}, [1, 17, 16 * 16 + 17, 16 * (15 * 15 + 16) + 16 * 16]),
        ("ren", {}, [1, 101, 100 * 100 + 101]),
        ("rings", {"size": 2}, [1, 25, 24 * 24 + 25, 24 * (23 * 23 + 24) + 24 * 24]),
        ("rings", {}, [1, 217, 216 * 216 + 217]),
        ("rings", {"size": 2, "players": 3}, [1, 25, 24 * 24 + 25, 24 * (23 * 23 + 24) + 24 * 24 + 25]),
    ],
)
def test_counts_from_the_beginning(game, options, counts):
    assert [perft(make(game, **options), depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=f"{entry['game']}-{number}")
        for number, entry in enumerate(recorded())
        if entry["count"] < 6000  # `python -m tests.reference.perft` checks all
    ],
)
def test_recorded_counts(entry):
    assert perft(position_of(entry), entry["depth"]) == entry["count"]
