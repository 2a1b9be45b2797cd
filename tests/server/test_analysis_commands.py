"""Editing a study's record: playing on, shortening, promoting, removing, catching up."""

import random

import pytest

from kakomi import catalog, records
from kakomi.core import Game, IllegalAction
from kakomi.records import Record
from kakomi.server.analysis.commands import CatchUp, Comment, Play, Promote, Remove, Shorten
from kakomi.server.analysis.study_tree import blocks, position_at
from kakomi.session import Refused


@pytest.fixture(scope="module")
def rin() -> Game:
    return catalog.game("rin", size=4)


def lines(record: Record) -> list[list[str]]:
    """Every line from the start to a turn without followers."""
    ends = [number for number in range(1, len(record.turns) + 1) if not record.tree.followers[number]]
    return [
        [" ".join(record.turns[number - 1].actions) for number in record.tree.line_to(end)] for end in ends
    ]


def test_actions_of_a_turn_are_kept_one_by_one(rin: Game) -> None:
    record, node = Play("0,0").edit(Record(game="rin", options=dict(rin.options)), rin, 0)
    record, node = Play("1,1").edit(record, rin, node)
    assert (node, lines(record)) == (2, [["0,0", "1,1"]])
    record, node = Play("2,2").edit(record, rin, node)
    assert (node, lines(record)) == (2, [["0,0", "1,1 2,2"]])
    record, node = Shorten().edit(record, rin, node)
    assert lines(record) == [["0,0", "1,1"]]
    record, node = Shorten().edit(record, rin, node)
    assert (node, lines(record)) == (1, [["0,0"]])


def test_what_is_there_already_is_gone_to_and_not_added(rin: Game) -> None:
    record = records.recorded(rin, ["0,0", "1,1", "2,2", "3,3"])
    grown, node = Play("0,0").edit(record, rin, 0)
    assert (grown, node) == (record, 1)
    half, node = Play("2,2").edit(record, rin, 1)
    assert lines(half)[1] == ["0,0", "2,2"]
    again, node = Play("1,1").edit(half, rin, node)  # the same two stones in another order
    assert (again, node) == (record, 2)


def test_a_half_turn_with_a_note_is_not_thrown_away(rin: Game) -> None:
    record = records.recorded(rin, ["0,0", "1,1", "2,2"])
    record, node = Play("2,2").edit(record, rin, 1)
    record, _ = Comment("why this first?").edit(record, rin, node)
    record, node = Play("1,1").edit(record, rin, node)
    assert record.turns[node - 1].comment == "why this first?" and len(lines(record)) == 2


def test_a_variation_is_promoted_and_what_it_replaced_stays(rin: Game) -> None:
    record = records.recorded(rin, ["0,0", "1,1", "2,2", "3,3"])
    record, node = Play("0,1").edit(record, rin, 1)
    record, node = Play("0,2").edit(record, rin, node)
    assert lines(record)[0] == ["0,0", "1,1 2,2", "3,3"]
    promoted, at = Promote().edit(record, rin, node)
    assert lines(promoted) == [["0,0", "0,1 0,2"], ["0,0", "1,1 2,2", "3,3"]]
    assert promoted.turns[at - 1].actions == ("0,1", "0,2") and promoted.length == 2
    with pytest.raises(Refused, match="this is already the main line"):
        Promote().edit(promoted, rin, at)


def test_a_turn_is_removed_with_all_that_follows_it(rin: Game) -> None:
    record = records.recorded(rin, ["0,0", "1,1", "2,2", "3,3"])
    record, _ = Play("0,1").edit(record, rin, 1)
    record, node = Remove().edit(record, rin, 2)
    assert (node, lines(record)) == (1, [["0,0", "0,1"]])
    with pytest.raises(Refused, match="start"):
        Remove().edit(record, rin, 0)


def test_a_game_that_is_changed_loses_its_result_and_tells_it_in_a_note(rin: Game) -> None:
    resigned = records.checked(
        records.recorded(
            rin,
            ["0,0", "1,1", "2,2"],
            resignations=(records.Resignation(player=0, after=2),),
            result=records.Result(reason="resignation", winners=(1,)),
        ),
        rin,
    )
    record, node = Play("3,3").edit(resigned, rin, 2)
    assert node == 3 and record.result is None and not record.resignations
    assert "White wins by resignation" in record.comment
    assert records.checked(record, rin) == record
    kept, _ = Play("3,3").edit(resigned, rin, 1)
    assert kept.result == resigned.result, "a variation changes nothing of the game itself"


def test_illegal_actions_and_nodes_that_are_not_there_are_refused(rin: Game) -> None:
    record = records.recorded(rin, ["0,0"])
    with pytest.raises(IllegalAction, match="0,0"):
        Play("0,0").edit(record, rin, 1)
    for node in (-1, 2):
        with pytest.raises(Refused, match="no move"):
            Play("1,1").edit(record, rin, node)
    with pytest.raises(Refused, match="limit: 4,000"):
        Comment("x" * 4001).edit(record, rin, 1)


def test_a_study_is_brought_up_to_date_beside_its_variations(rin: Game) -> None:
    record = records.recorded(rin, ["0,0", "1,1"])
    record, _ = Play("0,1").edit(record, rin, 1)
    latest = records.recorded(rin, ["0,0", "1,1", "2,2", "3,3"])
    updated, _ = CatchUp(latest).edit(record, rin, 0)
    assert lines(updated) == [["0,0", "1,1 2,2", "3,3"], ["0,0", "0,1"]]
    assert CatchUp(latest).edit(updated, rin, 0) == (updated, 0)


@pytest.mark.parametrize("name", catalog.names())
def test_any_growth_is_a_record_that_the_rules_allow(name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    chance = random.Random(7)
    record = Record(game=name, options=dict(game.options))
    for _ in range(120):
        node = chance.randrange(len(record.turns) + 1)
        legal = position_at(record, game, node).legal()
        deed = chance.random()
        if deed < 0.85 and legal:
            record, at = Play(chance.choice(legal)).edit(record, game, node)
        elif deed < 0.92 and node > record.length:
            record, at = Promote().edit(record, game, node)
        elif deed < 0.96 and node:
            record, at = Remove().edit(record, game, node)
        else:
            continue
        assert 0 <= at <= len(record.turns)
        listed = [move.node for block in blocks(record) for move in block.moves]
        assert sorted(listed) == list(range(1, len(record.turns) + 1))
    assert records.checked(record, game) == record
    assert records.read(records.write(record, game, "json"), catalog.game) == record


def test_moves_are_listed_with_their_variations_where_they_begin(rin: Game) -> None:
    record = records.recorded(rin, ["0,0", "1,1", "2,2", "3,3"])
    record, node = Play("0,1").edit(record, rin, 1)
    record, _ = Play("1,0").edit(record, rin, 0)
    told = [(block.depth, [move.text for move in block.moves]) for block in blocks(record)]
    assert told == [(0, ["0,0"]), (1, ["1,0"]), (0, ["1,1 2,2"]), (1, ["0,1"]), (0, ["3,3"])]
    variation = next(move for block in blocks(record) for move in block.moves if move.node == node)
    assert (variation.turn, variation.above, variation.below) == (2, 2, None)


def test_a_record_of_thousands_of_nested_variations_is_listed(rin: Game) -> None:
    record = Record(game="rin", options=dict(rin.options))
    turn = records.Turn(player=0, actions=("0,0",))
    turns = [turn]
    for number in range(1, 3000):
        turns.append(records.Turn(after=number - 1, player=0, actions=("0,0",)))
        turns.append(records.Turn(after=number - 1, player=0, actions=("0,1",)))
    deep = records.Record(game=record.game, turns=tuple(turns[:4000]))
    assert sum(len(block.moves) for block in blocks(deep)) == 4000
