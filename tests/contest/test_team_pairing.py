"""Who plays whom in a match between teams, and who begins where."""

import pytest

from kakomi.contest.team_pairing import pair_boards

HOME = {"a": 1500.0, "b": 1900.0, "c": 1700.0}
AWAY = {"x": 1600.0, "y": 1650.0}


def test_the_best_play_the_best_and_the_weakest_sits_out() -> None:
    boards = pair_boards(HOME, AWAY, 10, seed=1)
    assert [(board.home, board.away) for board in boards] == [("b", "y"), ("c", "x")]


def test_there_are_no_more_boards_than_agreed() -> None:
    assert [board.home for board in pair_boards(HOME, AWAY, 1, seed=1)] == ["b"]


def test_a_team_of_nobody_has_no_boards() -> None:
    assert pair_boards(HOME, {}, 4, seed=1) == ()


@pytest.mark.parametrize("seed", range(20))
def test_the_teams_begin_on_every_other_board(seed: int) -> None:
    home, away = ({f"{team}{number}": 0.0 for number in range(5)} for team in "ha")
    begins = [board.home_begins for board in pair_boards(home, away, 5, seed)]
    assert begins == [begins[0], not begins[0]] * 2 + [begins[0]]


def test_lots_follow_from_the_seed_and_from_nothing_else() -> None:
    equals = dict.fromkeys("abcdef", 1500.0)
    others = dict.fromkeys("uvwxyz", 1500.0)
    first = pair_boards(equals, others, 6, seed=7)
    assert first == pair_boards(dict(reversed(equals.items())), others, 6, seed=7)
    drawn = [pair_boards(equals, others, 6, seed) for seed in range(40)]
    assert len({tuple(board.home for board in boards) for boards in drawn}) > 20
    assert 5 < sum(boards[0].home_begins for boards in drawn) < 35


def test_nobody_plays_for_both() -> None:
    with pytest.raises(ValueError, match="both teams"):
        pair_boards(HOME, {"a": 1.0}, 1, seed=1)
