"""Places follow scores; ties share a place, and players who left come last, earlier leavers lower."""

import pytest

from kakomi.contest import places


@pytest.mark.parametrize(
    ("scores", "left", "expected"),
    [
        ((3, 1), (), (1, 2)),
        ((2, 2), (), (1, 1)),
        ((9, 1), (0,), (2, 1)),
        ((4, 4, 1), (), (1, 1, 3)),
        ((4, 7, 7, 1), (), (3, 1, 1, 4)),
        ((50, 1, 2, 3), (0,), (4, 3, 2, 1)),
        ((5, 4, 3, 2, 1, 0), (0, 1), (6, 5, 1, 2, 3, 4)),
        ((5, 5, 5, 5, 5, 5), (3, 0, 2), (5, 1, 4, 6, 1, 1)),
    ],
)
def test_places(scores, left, expected) -> None:
    assert places(scores, left) == expected


@pytest.mark.parametrize("left", [(2,), (0, 0), (-1,)])
def test_who_left_has_to_have_sat_there(left) -> None:
    with pytest.raises(ValueError, match="some of 0 to 1, each once"):
        places((1, 2), left)
