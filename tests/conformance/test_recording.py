"""Every game can be written as a record and read back exactly."""

import pytest

import kakomi
from conformance.cases import Case, actions_of, all_cases, quick_cases, random_game
from kakomi import records


def record_of(case: Case, seed: int = 1) -> records.Record:
    return records.recorded(case.game, actions_of(random_game(case, seed)))


@all_cases
def test_json_gives_the_same_game_again(case: Case) -> None:
    record = record_of(case)
    written = records.write(record, case.game, "json")
    again = records.read(written, kakomi.game)
    assert again == record
    assert records.write(again, case.game, "json") == written
    assert records.game_of(again, kakomi.game) == case.game
    last = random_game(case)[-1]
    end = records.position_after(again, case.game)
    assert end == last
    assert (end.ply, end.is_over) == (last.ply, last.is_over)


@all_cases
def test_sgf_gives_the_same_game_again_where_the_board_is_square(case: Case) -> None:
    record = record_of(case)
    if case.game.geometry.kind != "square" or case.game.players != 2:
        with pytest.raises(records.RecordError):
            records.write(record, case.game, "sgf")
        return
    written = records.write(record, case.game, "sgf")
    again = records.read(written, kakomi.game)
    assert again.turns == record.turns
    assert again.game == case.name
    assert records.write(again, case.game, "sgf") == written


@quick_cases
def test_an_unfinished_turn_is_kept(case: Case) -> None:
    for position in random_game(case):
        actions = actions_of(random_game(case)[: position.ply + 1])
        record = records.recorded(case.game, actions)
        assert records.position_after(record, case.game) == position
        assert sum(len(turn.actions) for turn in record.turns) == position.ply
        if position.ply > 40:
            break


@quick_cases
def test_an_illegal_turn_is_refused_with_its_number(case: Case) -> None:
    record = record_of(case)
    written = records.write(record, case.game, "json").decode()
    first = record.turns[0].actions[0]
    second = record.turns[1].actions[0]
    assert f'"{second}"' in written
    illegal = written.replace(f'"{second}"', '"no-such-action"', 1)
    with pytest.raises(records.RecordError, match="turn 2") as caught:
        records.read(illegal.encode(), kakomi.game)
    assert "\n" not in str(caught.value)
    assert first
