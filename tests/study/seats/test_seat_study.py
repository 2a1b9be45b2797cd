"""Studies of seats: what they play, stop, go on with, and refuse."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kakomi
import kakomi.records
from kakomi.core import Game
from kakomi.farm import Farm, open_farm
from kakomi.study.report.trace import trace_of
from kakomi.study.seats import SeatSample, SeatStudy
from kakomi.study.seats.swap import first_turns, most_even_turn
from kakomi.study.tournament import record_of

BOT = "search:simulations=10"
LIN = kakomi.game("lin", size=5, line=3)
REN = kakomi.game("ren", size=4)


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with open_farm(1) as opened:
        yield opened


def test_games_begin_at_the_start_or_a_position_and_differ(farm: Farm, tmp_path: Path) -> None:
    usual = SeatSample(LIN, BOT, 6)
    played = usual.play(farm, tmp_path)
    assert [one.pairing.number for one in played] == [1, 2, 3, 4, 5, 6]
    assert {one.opening for one in played} == {0} and len({one.actions for one in played}) > 3
    after = LIN.start().play("c3")
    begun = replace(usual, position=str(after))
    for one in begun.play(farm, tmp_path):
        position = after
        for action in one.actions:
            position = position.play(action)
        assert position.is_over and tuple(position.scores()) == one.scores
        assert kakomi.records.position_after(record_of(one), LIN) == position
        assert trace_of(one, LIN, "self").position == str(after)
    assert len(list(tmp_path.iterdir())) == 2, "each sample has a file of its own"


def test_a_study_goes_on_where_it_was_stopped_and_comes_to_the_same(farm: Farm, tmp_path: Path) -> None:
    study = SeatStudy([REN], BOT, 6, options=[{"lead": 2}])
    whole = study.play(farm, tmp_path / "whole")
    told: list[str] = []

    def stop(part: float, words: str) -> None:
        told.append(words)
        if part >= 8 / 18:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.play(farm, tmp_path / "kept", stop)
    assert told[:4] == [f"{done} of 4 first turns looked at" for done in (1, 2, 3, 4)]
    assert told[4:] == [f"{done} of 18 games" for done in range(1, 9)], "a board, a lead, and a first turn"
    assert SeatStudy([REN], BOT, 6, options=[{"lead": 2}]).play(farm, tmp_path / "kept") == whole
    longer = SeatStudy([REN], BOT, 8).play(farm, tmp_path / "kept")
    assert longer[0].games == 8


def test_repairs_are_those_that_a_board_has(farm: Farm, tmp_path: Path) -> None:
    (lin,) = SeatStudy([LIN], BOT, 2).play(farm, tmp_path)
    assert [one.name for one in lin.repairs] == ["komi 2", "swap", "swap, foreseen", "match of two"]
    with_komi = kakomi.game("lin", size=5, line=3, komi=4)
    (told,) = SeatStudy([with_komi], "random", 2).play(farm, tmp_path)
    assert [one.name for one in told.repairs] == ["match of two"], "a komi is set, and nothing is searched"
    three = kakomi.game("rings", size=2, players=3)
    (rings,) = SeatStudy([three], "random", 2).play(farm, tmp_path)
    assert rings.repairs == () and len(rings.seats) == 3


def test_first_turns_are_told_up_to_symmetry() -> None:
    assert sorted(after.stones().popitem()[0] for after in first_turns(LIN)) == [
        "a1", "b1", "b2", "c1", "c2", "c3",
    ]  # fmt: skip
    assert len(first_turns(REN)) == 4, "three squares, and to pass"
    even = most_even_turn(REN, seed=1, simulations=50)
    assert even == most_even_turn(REN, seed=1, simulations=50) and even.to_move == 1


@pytest.mark.parametrize(
    ("boards", "terms", "told"),
    [
        ([], {}, "no board"),
        ([LIN], {"bot": "nobody"}, "no bot"),
        ([LIN], {"position": "5/5"}, "no position"),
        ([REN], {"position": "4/4/4/4 b passes=2"}, "over"),
        ([REN], {"options": [{"komi": 2}]}, "no option 'komi'"),
        ([kakomi.game("rings", players=3)], {"options": [{"size": 2}]}, "for two"),
    ],
)
def test_what_cannot_be_studied_is_said(boards: list[Game], terms: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        SeatStudy(boards, **{"bot": BOT, "games": 2, **terms})
