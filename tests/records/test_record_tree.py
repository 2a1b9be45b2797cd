"""The tree of turns in records."""

import pickle

import pytest

from kakomi.records import (
    Record,
    RecordError,
    read_json,
    tidy,
    tidy_line,
    write_json,
)
from recorded_games import AWKWARD
from records.small_records import rin, turn


def test_turns_are_listed_in_one_order_whatever_order_they_came_in() -> None:
    one = rin(turn(0, "a"), turn(1, "b"), turn(0, "c"), turn(1, "x", after=1), turn(0, "y"))
    other = rin(
        turn(0, "a"), turn(1, "b"), turn(1, "x", after=1), turn(0, "y", after=3), turn(0, "c", after=2)
    )
    assert one == other
    assert [t.actions[0] for t in other.turns] == ["a", "b", "c", "x", "y"]
    assert [t.after for t in other.turns] == [None, None, None, 1, None]


def test_the_first_to_follow_is_the_game_and_the_others_are_variations() -> None:
    record = rin(turn(0, "a"), turn(1, "b"), turn(0, "z", after=0), turn(1, "x", after=1))
    assert record.length == 2
    assert record.tree.main_line == [1, 2]
    assert [record.turns[number - 1].actions[0] for number in (3, 4)] == ["x", "z"]
    assert record.tree.line_to(3) == [1, 3] and record.tree.line_to(0) == []


@pytest.mark.parametrize("after", [1, 2, 99])
def test_a_turn_follows_an_earlier_one(after: int) -> None:
    with pytest.raises(RecordError, match=rf"turns\[0\].after: {after} isn't an earlier turn"):
        rin(turn(0, "a", after=after))


def test_with_turn_adds_to_the_game_or_starts_a_variation() -> None:
    record = rin().with_turn(turn(0, "a")).with_turn(turn(1, "x")).with_turn(turn(1, "y"), after=1)
    record = record.with_turn(turn(0, "b"))
    assert [t.actions[0] for t in record.turns] == ["a", "x", "b", "y"]
    assert record.length == 3


def test_with_comment_replaces_a_comment() -> None:
    record = rin(turn(0, "a", comment="old")).with_comment("new", 1).with_comment("before", 0)
    assert record.turns[0].comment == "new" and record.comment == "before"


def test_a_record_of_thousands_of_turns_within_each_other_needs_no_recursion() -> None:
    line = [turn(number % 2, "a") for number in range(5000)]
    nested = [turn(0, "b", after=number) for number in range(0, 5000, 2)]
    record = Record(game="long", turns=(*line, *nested))
    assert record.length == 5000
    assert pickle.loads(pickle.dumps(record)) == record
    assert read_json(write_json(record)) == record


def test_times_are_kept_to_the_millisecond() -> None:
    assert turn(0, "a", clock=1.23456, seconds=2.0004).clock == 1.235


@pytest.mark.parametrize("text", [*AWKWARD, "a\tb\r\nc\rd\x1b[2J\x00\ud800\x9b"])
def test_tidied_text_may_stand_in_a_record(text: str) -> None:
    record = rin(comment=tidy(text), event=tidy_line(text))
    assert read_json(write_json(record)) == record
    assert tidy("a\r\nb\tc") == "a\nb c"
