"""Studies of seats: playing, stopping, resuming and refusals."""

from pathlib import Path
from typing import Any

import pytest

import kakomi
import kakomi.records
from kakomi.core import Game
from kakomi.study.matches import record_of
from kakomi.study.report.trace import trace_of
from kakomi.study.seats import BOARD, FORESEEN, SeatStudy, first_turns, most_even_turn
from study.inline_farm import InlineFarm

BOT = "search:simulations=10"
LIN = kakomi.game("lin", size=5, line=3)
REN = kakomi.game("ren", size=4)


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.study.seats.SIMULATIONS", 50)


def test_games_begin_at_a_position_and_differ(tmp_path: Path) -> None:
    after = LIN.start().play("c3")
    study = SeatStudy(LIN, 5, bot=BOT, position=str(after)).run(InlineFarm(), tmp_path)
    assert [one.pairing.number for one in study.results] == [1, 2, 3, 4, 5]
    assert len({one.actions for one in study.results}) > 3 and {one.opening for one in study.results} == {0}
    for one in study.results:
        position = after
        for action in one.actions:
            position = position.play(action)
        assert position.is_over and tuple(position.scores()) == one.scores
        assert kakomi.records.position_after(record_of(one), LIN) == position
        assert trace_of(one, LIN, "self").position == str(after)


def test_a_study_goes_on_where_it_was_stopped_and_comes_to_the_same(tmp_path: Path) -> None:
    def study(games: int) -> SeatStudy:
        return SeatStudy(REN, games, bot=BOT, tried=[{"lead": 2}])

    def stop(done: int) -> None:
        if done == 8:
            raise KeyboardInterrupt

    whole = study(6).run(InlineFarm(), tmp_path / "whole")
    assert [sample.name for sample in whole.samples] == [BOARD, "lead 2", FORESEEN] and whole.count == 18
    stopped = study(6)
    with pytest.raises(KeyboardInterrupt):
        stopped.run(InlineFarm(), tmp_path / "kept", stop)
    assert [len(stopped.played(name)) for name in (BOARD, "lead 2", FORESEEN)] == [3, 3, 2], (
        "samples take turns"
    )
    farm = InlineFarm()
    assert study(6).run(farm, tmp_path / "kept").figures() == whole.figures() and len(farm.done) == 10
    assert study(8).run(farm, tmp_path / "kept").figures().games == 8


def test_repairs_are_those_that_a_board_has(tmp_path: Path) -> None:
    lin = SeatStudy(LIN, 2, bot=BOT).run(InlineFarm(), tmp_path).figures()
    assert [one.name for one in lin.repairs] == ["komi 2", "swap", "swap, foreseen", "match of two"]
    with_komi = kakomi.game("lin", size=5, line=3, komi=4)
    told = SeatStudy(with_komi, 2, bot="random").run(InlineFarm(), tmp_path).figures()
    assert [one.name for one in told.repairs] == ["match of two"], "a komi is set, and nothing is searched"
    three = kakomi.game("rings", size=2, players=3)
    rings = SeatStudy(three, 2, bot="random").run(InlineFarm(), tmp_path).figures()
    assert rings.repairs == () and len(rings.seats) == 3


def test_first_turns_are_told_up_to_symmetry() -> None:
    assert sorted(after.stones().popitem()[0] for after in first_turns(LIN)) == [
        "a1", "b1", "b2", "c1", "c2", "c3",
    ]  # fmt: skip
    assert len(first_turns(REN)) == 4, "three squares, and to pass"
    even = most_even_turn(REN, seed=1)
    assert even == most_even_turn(REN, seed=1) and even.to_move == 1


@pytest.mark.parametrize(
    ("board", "terms", "told"),
    [
        (LIN, {"bot": "nobody"}, "no bot"),
        (LIN, {"position": "5/5"}, "isn't a position: write rows of points"),
        (REN, {"position": "4/4/4/4 b passes=2"}, "over"),
        (REN, {"tried": [{"komi": 2}]}, "no option 'komi'"),
        (kakomi.game("rings", players=3), {"tried": [{"size": 2}]}, "for two"),
    ],
)
def test_what_cannot_be_studied_is_said(board: Game, terms: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        SeatStudy(board, 2, **{"bot": BOT, **terms})
