"""Games that end with a tournament's round, in logs, records and SGF."""

import pytest

import kakomi
from kakomi import records
from kakomi.session import Entry, Refused, Table
from kakomi.session.record import record_of
from session.told_tables import begun, told


def test_whoever_is_to_act_forfeits_and_the_other_wins() -> None:
    table = told(begun(), "0 play 0,0")
    to_act = table.to_act
    ended = told(table, f"- forfeit {to_act}")
    assert ended.is_over and ended.ending is not None
    assert (ended.ending.reason, ended.ending.winners) == ("forfeit", (1 - to_act,))
    game = ended.match.current_game
    assert game.seats_out_by("forfeit") == (to_act,)
    assert game.seats_out_by("resignation") == game.seats_out_by("time") == ()
    assert [leaver.reason for leaver in game.leavers] == ["forfeit"]
    assert Table.from_json(ended.to_json()).match.to_json() == ended.match.to_json()


def test_nobody_else_forfeits_and_no_seat_says_so() -> None:
    table = told(begun(), "0 play 0,0")
    with pytest.raises(Refused, match="only the player to move"):
        table.apply(Entry(None, "forfeit", 1 - table.to_act, table.at))
    with pytest.raises(Refused, match="it has no 'seat'"):
        Entry(0, "forfeit", 0, table.at)


@pytest.mark.parametrize("form", ["json", "sgf"])
def test_a_record_of_it_is_one_that_readers_know(form: str) -> None:
    table = told(begun(), "0 play 0,0")
    ended = told(table, f"- forfeit {table.to_act}")
    record, game = record_of(ended.match), ended.match.current_game.game
    assert record.result is not None and record.result.reason == "forfeit" and not record.resignations
    content = records.write(record, game, form)
    assert records.read(content, kakomi.game) == records.checked(record, game)


def test_in_a_game_of_three_the_others_go_on_and_a_bot_may_take_over() -> None:
    seats = begun().match.seats
    three = begun("rings", (*seats, seats[0]), size=2, players=3)
    ended = told(three, "- forfeit 0")
    assert not ended.is_over and ended.match.current_game.seats_out_by("forfeit") == (0,)
    with_bot = told(begun("rings", (*seats, seats[0]), size=2, players=3, leavers="2"), "- forfeit 0")
    (leaver,) = with_bot.match.current_game.leavers
    assert (leaver.reason, leaver.has_bot) == ("forfeit", True)


def test_before_all_have_begun_the_table_can_end_with_the_round() -> None:
    table = told(begun(), "- abort round over")
    assert table.ending is not None and table.ending.reason == "aborted"
    playing = begun()
    while not playing.start.is_everybody_in(playing.match):
        action = playing.match.position.legal()[0]
        playing = told(playing, f"{playing.to_act} play {action}")
    with pytest.raises(Refused, match="everyone has made a move"):
        told(playing, "- abort round over")


def test_a_game_whose_komi_is_not_settled_is_forfeited_too() -> None:
    table = told(begun("lin", size=5, negotiate=True), "- forfeit 0")
    assert table.ending is not None and table.ending.winners == (1,)


def test_nobody_calls_a_binding_game_off_and_who_does_not_begin_it_loses() -> None:
    table = told(begun(start=300, is_binding=True), "0 play 0,0 @1200")
    assert not any(table.may(seat, "abort") for seat in (0, 1)) and table.may(1, "resign")
    with pytest.raises(Refused, match="this game can’t be aborted"):
        told(table, "1 abort stopped")
    assert table.due(1500) == Entry(None, "flag", 1, 1500)
    over = told(table, "- flag 1 @1500")
    assert over.ending is not None and (over.ending.reason, over.ending.winners) == ("absence", (0,))
    again = Table.from_json(over.to_json())
    assert again.is_binding and again.match.to_json() == over.match.to_json()
    record = record_of(over.match)
    assert record.result is not None and record.result.reason == "forfeit" and not record.resignations


def test_a_binding_game_is_resigned_before_its_komi_is_settled() -> None:
    wanted = {"size": 5, "negotiate": True}
    assert not begun("lin", **wanted).may(0, "resign")
    ended = told(begun("lin", **wanted, is_binding=True), "0 resign").ending
    assert ended is not None and (ended.reason, ended.winners) == ("resignation", (1,))
