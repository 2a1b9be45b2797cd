"""Takebacks: the entry that they return to, whose consent they need, and what they keep."""

import random
from collections.abc import Sequence

import pytest

from kakomi.session import Offer, Refused, Seat, Table, TimeControl
from session.told_tables import WITH_BOT, begun, texts, told

BOT = Seat("Level 1", bot="1")


def rings(seats: Sequence[Seat]) -> Table:
    return begun("rings", seats, size=2, players=len(seats))


def played(table: Table, actions: int) -> Table:
    """The table after actions, each the first legal point or the end of the turn."""
    for _ in range(actions):
        legal = table.match.position.legal()
        table = told(table, f"{table.to_act} play {'end' if 'end' in legal else legal[0]}")
    return table


def test_among_bots_one_takes_back_freely_to_the_start_of_ones_turn() -> None:
    table = told(begun(seats=WITH_BOT), "0 play 0,0", "1 play 1,1", "1 play 2,2", "0 play 3,3", "0 play 3,2")
    assert table.may(0, "takeback")
    back = told(table, "0 takeback")
    assert texts(back) == ["0,0", "1,1", "2,2"]
    assert back.to_act == 0
    assert texts(told(back, "0 takeback")) == []
    assert back.entries == 6


def test_the_bots_answer_is_taken_back_with_it() -> None:
    table = told(begun(seats=WITH_BOT), "0 play 0,0", "1 play 1,1 2,2")
    back = told(table, "0 takeback")
    assert texts(back) == []
    assert back.to_act == 0


def test_within_a_turn_its_last_action_is_taken_back() -> None:
    table = told(begun(seats=WITH_BOT), "0 play 0,0", "1 play 1,1 2,2", "0 play 3,3")
    assert texts(told(table, "0 takeback")) == ["0,0", "1,1", "2,2"]


def test_a_turn_sent_in_one_text_is_taken_back_action_by_action() -> None:
    table = begun("rive", WITH_BOT, size=3)
    chance = random.Random(1)
    while len(table.match.position.turn) < 2 or table.to_act != 0:
        table = told(table, f"{table.to_act} play {chance.choice(table.match.position.legal())}")
    turn = texts(table)[-2:]
    before = told(table, "0 takeback", "0 takeback")
    assert texts(before) == texts(table)[:-2]
    at_once = told(before, f"0 play {' '.join(turn)}")
    assert texts(at_once) == texts(table)
    assert texts(told(at_once, "0 takeback")) == texts(table)[:-1]


def test_in_the_next_game_of_a_match_it_is_taken_back_action_by_action_too() -> None:
    table = told(begun(seats=WITH_BOT, games=2), "0 play 0,0", "1 resign", "1 play 3,3")
    table = told(table, "0 play 1,1 2,2", "1 play 0,0 0,1")
    assert texts(table) == ["3,3", "1,1", "2,2", "0,0", "0,1"]
    back = told(table, "0 takeback")
    assert (texts(back), back.to_act) == (["3,3"], 0)
    whole = told(back, "0 play 1,1")
    assert texts(told(whole, "0 takeback")) == ["3,3"]


def test_with_nothing_to_take_back_it_is_refused() -> None:
    table = begun(seats=WITH_BOT)
    with pytest.raises(Refused, match="no move to take back"):
        told(table, "0 takeback")
    table = told(table, "0 play 0,0")
    assert not table.may(1, "takeback"), "the bot has done nothing yet"


def test_people_are_asked() -> None:
    table = told(begun(), "0 play 0,0", "1 play 1,1 2,2")
    with pytest.raises(Refused, match="ask your opponents for a takeback"):
        told(table, "0 takeback")
    table = told(table, "1 offer takeback")
    assert table.offer == Offer("takeback", 1, (0,))
    back = told(table, "0 accept")
    assert texts(back) == ["0,0"]
    assert (back.to_act, back.offer) == (1, None)
    assert texts(told(table, "0 decline")) == ["0,0", "1,1", "2,2"]
    assert told(table, "0 play 3,3").offer is None
    first = told(begun(), "0 play 0,0", "0 offer takeback")
    assert texts(told(first, "1 accept")) == []


def test_who_plays_on_has_thought_better_of_a_takeback() -> None:
    table = told(begun(), "0 play 0,0", "1 play 1,1", "1 offer takeback")
    assert told(table, "1 play 2,2").offer is None


def test_every_other_person_has_to_consent_and_bots_do() -> None:
    table = told(played(rings([Seat("Ada"), Seat("Ben"), BOT, Seat("Cleo")]), 1), "0 offer takeback")
    assert table.offer == Offer("takeback", 0, (1, 3))
    assert not table.may(2, "accept")
    table = told(table, "3 accept")
    assert table.offer == Offer("takeback", 0, (1,))
    assert not table.may(3, "accept")
    assert texts(told(table, "1 accept")) == []
    assert told(table, "1 decline").offer is None


def test_an_offer_lapses_when_one_who_has_accepted_it_leaves() -> None:
    """An offer lapses with any leaver, since the takeback would no longer be in the same game."""
    table = told(played(rings([Seat("Ada"), Seat("Ben"), Seat("Cleo")]), 1), "0 offer takeback", "1 accept")
    assert table.offer == Offer("takeback", 0, (2,))
    assert told(table, "1 resign").offer is None


def test_a_bot_that_plays_leaves_the_offer_open() -> None:
    table = played(rings([Seat("Ada"), BOT, Seat("Cleo")]), 1)
    table = played(told(table, "0 offer takeback"), 1)
    assert table.offer == Offer("takeback", 0, (2,))
    assert texts(told(table, "2 accept")) == []


def test_nobody_has_to_be_asked_among_bots() -> None:
    table = played(rings([Seat("Ada"), BOT, BOT]), 3)
    assert not table.may(0, "offer", "takeback")
    with pytest.raises(Refused, match="you can take back without asking"):
        told(table, "0 offer takeback")


def test_who_has_left_stays_out_and_is_not_asked() -> None:
    """RULES G8."""
    table = told(played(rings([Seat("Ada"), Seat("Ben"), BOT, BOT]), 4), "1 resign")
    table = played(table, 1)
    assert table.may(0, "takeback"), "only bots are left"
    back = told(table, "0 takeback", "0 takeback")
    assert texts(back) == []
    assert back.match.current_game.resigned_seats == (1,)
    assert back.to_act == 0
    with pytest.raises(Refused, match="has left the game"):
        told(back, "1 takeback")


def test_who_ran_out_of_time_did_not_resign_instead() -> None:
    seats = [Seat("Ada"), Seat("Ben"), BOT, BOT]
    table = begun("rings", seats, size=2, players=4, time=TimeControl(60))
    table = told(played(table, 5), "- flag 1 @1060", "2 resign")
    for _ in range(2):
        table = told(table, "0 takeback")
        assert table.match.current_game.resigned_seats == (1, 2)
        assert table.match.current_game.involuntary_reasons == {1: "time"}
    assert texts(table) == []


def test_who_did_not_start_stays_out() -> None:
    seats = [Seat("Ada"), Seat("Ben"), BOT, BOT]
    table = told(
        played(begun("rings", seats, size=2, players=4, start=60, is_binding=True), 1), "- flag 1 @1060"
    )
    back = told(table, "0 takeback").match.current_game
    assert [(leaver.seat, leaver.reason) for leaver in back.leavers] == [(1, "absence")]


def test_what_was_negotiated_and_swapped_can_be_taken_back() -> None:
    table = told(begun("lin", WITH_BOT, size=5, negotiate=True), "0 komi 4", "1 colour 1")
    back = told(table, "0 takeback")
    assert (back.match.phase, back.to_act) == ("komi", 0)
    ada = told(
        begun("lin", (BOT, Seat("Ada")), size=5, negotiate=True), "0 komi 4", "1 colour 1", "0 play a1"
    )
    chosen = told(ada, "1 takeback")
    assert (chosen.match.phase, chosen.to_act) == ("colour", 1)
    swapped = told(begun(seats=(BOT, Seat("Ada")), swap=True), "0 play 0,0", "1 swap", "0 play 1,1 2,2")
    back = told(swapped, "1 takeback")
    assert back.match.current_game.may_swap
    assert back.to_act == 1


def test_a_finished_game_of_a_match_stays_finished() -> None:
    table = told(begun("ren", WITH_BOT, games=2), "0 play a1", "1 resign")
    with pytest.raises(Refused, match="no move to take back"):
        told(table, "0 takeback")
