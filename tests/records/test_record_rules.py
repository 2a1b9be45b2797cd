"""Records checked against the rules."""

from pathlib import Path

import pytest

import kakomi
from kakomi.core import Game
from kakomi.records import (
    Record,
    Turn,
    checked,
    load,
    position_after,
    positions,
    read,
    recorded,
    write,
)
from records.small_records import FIRST, RIN, by_game, finished, refused, rin, turn

GOLDEN = Path(__file__).resolve().parent / "golden"


def test_removals_may_be_listed_in_any_order() -> None:
    """RULES V5: a capture is read if some order of its removals is legal, and printed in a legal one."""
    path = GOLDEN / "rive.json"
    listed = load(path, kakomi.game)
    game = kakomi.game(listed.game, **listed.options)
    captured = b'"b3", "xa3", "xa1", "xa2", "xb4", "a1"'
    assert captured in path.read_bytes()
    shuffled = path.read_bytes().replace(captured, b'"b3", "xb4", "xa2", "xa1", "xa3", "a1"')
    record = read(shuffled, kakomi.game)
    assert checked(record, game) == record
    assert dict(positions(record, game)) == dict(positions(listed, game))


def test_games_of_thousands_of_actions_are_checked_in_one_go() -> None:
    game = kakomi.game("rive", size=7)
    record = finished(game)
    assert sum(len(turn.actions) for turn in record.turns) > 1000
    assert read(write(record, game, "json"), kakomi.game) == record


def test_an_illegal_turn_is_refused_with_its_number_and_the_reason() -> None:
    assert refused(rin(FIRST, turn(1, "1,1", "0,0"))).startswith(
        "turn 2 (White): 0,0 can't be played: there is a"
    )
    assert refused(rin(FIRST, turn(1, "1,1", "9,9"))).startswith(
        "turn 2 (White): '9,9' isn't an action in Rin"
    )


def test_an_illegal_variation_is_refused_with_its_place() -> None:
    record = rin(FIRST, turn(1, "1,1", "2,2"), turn(1, "0,0", "1,1", after=1))
    assert refused(record).startswith("turn 2 (White) of a variation, turns[2]: 0,0 can't be played")


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([turn(1, "0,0")], "turn 1 (White): it is Black's turn"),
        ([turn(7, "0,0")], "turn 1 (player 7): it is Black's turn"),
        ([turn(0, "0,0", "1,1")], "turn 1 (Black): 0,0 1,1 is more than one turn"),
        (
            [FIRST, turn(1, "1,1"), turn(0, "2,2", "3,3")],
            "turn 3 (Black): the previous turn, 1,1, isn't complete",
        ),
    ],
)
def test_turns_are_whole(turns: list[Turn], message: str) -> None:
    assert refused(rin(*turns)) == message


def test_nothing_follows_the_end_of_a_game() -> None:
    full = finished(RIN)
    assert "the game was already over" in refused(full.with_turn(turn(0, "0,0")))


def test_the_last_turn_may_be_unfinished() -> None:
    record = checked(rin(FIRST, turn(1, "1,1")), RIN)
    assert position_after(record, RIN).turn


def test_checked_spells_everything_as_it_is_printed() -> None:
    record = checked(Record(game="rin", turns=(turn(0, "(0,0)"),)), kakomi.game("rin"))
    assert record.turns[0].actions == ("0,0",)
    assert record.options == {"size": 16}


@by_game
def test_recorded_games_end_as_they_did(game: Game) -> None:
    record = finished(game)
    assert checked(record, game) == record
    end = position_after(record, game)
    assert end.is_over and record.result
    assert record.result.returns(game.players) == end.returns()
    assert list(record.result.scores) == end.scores()


def test_recorded_refuses_what_the_rules_forbid() -> None:
    with pytest.raises(kakomi.IllegalAction):
        recorded(RIN, ["0,0", "0,0"])


def test_recorded_takes_one_action_at_a_time() -> None:
    with pytest.raises(kakomi.IllegalAction, match="isn't an action in Rin"):
        recorded(RIN, ["0,0 1,1"])


def test_positions_come_in_the_order_of_the_turns() -> None:
    record = rin(FIRST, turn(1, "1,1", "2,2"), turn(1, "3,3", "2,2", after=1))
    reached = dict(positions(record, RIN))
    assert list(reached) == [0, 1, 2, 3]
    assert reached[2].stones() == {"0,0": 0, "1,1": 1, "2,2": 1}
    assert reached[3].stones() == {"0,0": 0, "3,3": 1, "2,2": 1}
    with pytest.raises(ValueError, match="turns 0 to 3"):
        position_after(record, RIN, 4)


def test_a_record_of_endless_variations_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.records.replay.MOST_ACTIONS", 1000)
    checked(rin(*(turn(0, "0,0", after=0) for _ in range(1000))), RIN)
    assert "more than 1,000 actions" in refused(rin(*(turn(0, "0,0", after=0) for _ in range(1001))))
