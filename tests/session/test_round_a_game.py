"""Events around a game: starting in time, ending before the beginning, pauses, downtime, and leavers."""

import json
from collections.abc import Callable

import pytest

from kakomi.session import Calendar, Ending, Entry, Leaver, Refused, Seat, Table, TimeControl
from kakomi.session.events import outage_value, rest_value
from kakomi.session.record import record_of
from session.told_tables import PEOPLE, WITH_BOT, begun, told

DAY = 86400.0
DAYS = TimeControl(3 * DAY, kind="days")
FISCHER = TimeControl(60, 5)


def again(table: Table) -> Table:
    """A copy of the table from its data, checked to be equal."""
    data = json.loads(json.dumps(table.to_json()))
    copy = Table.from_json(data)
    assert copy.to_json() == table.to_json()
    assert (copy.clock, copy.start, copy.ending) == (table.clock, table.start, table.ending)
    return copy


def test_a_table_that_nobody_starts_ends_without_a_result() -> None:
    table = begun(start=300)
    assert table.next_due() == 1300
    assert table.due(1299) is None
    table = told(table, "0 play 0,0 @1200")
    assert table.next_due() == 1500, "everybody has the whole time"
    with pytest.raises(Refused, match="the time for the first move has run out"):
        told(table, "1 play 1,1 @1500")
    with pytest.raises(Refused, match="it’s too early to end this game"):
        told(table, "- abort not started @1499")
    over = again(told(table, "- abort not started @1500"))
    assert over.is_over
    assert over.to_act is over.next_due() is None
    assert over.ending == Ending("aborted", (), (0.0, 0.0))
    with pytest.raises(Refused, match="the match is over"):
        told(over, "1 play 1,1 @1500")


def test_after_the_first_turns_there_is_nothing_to_start() -> None:
    table = told(begun(start=300), "0 play 0,0 @1200", "1 play 1,1 2,2 @1300")
    assert table.next_due() is None, "without a clock nothing is ever due then"


def test_komi_and_colour_have_the_same_limit() -> None:
    table = told(begun("lin", start=300, negotiate=True, size=5), "0 komi 4 @1100")
    assert table.next_due() == 1400
    assert told(table, "1 colour 0 @1350").next_due() == 1650


def test_nobody_waits_for_a_bot_to_start() -> None:
    assert told(begun(seats=WITH_BOT, start=300), "0 play 0,0 @1200").next_due() is None


def test_who_does_not_start_a_later_game_of_a_match_loses_it_on_time() -> None:
    table = told(begun("ren", start=300, games=2), "0 play a1 @1001", "1 play a2 @1002", "0 resign @1003")
    assert table.to_act == 1
    assert table.due(1303) == Entry(None, "flag", 1, 1303)
    table = again(told(table, "- flag 1 @1303"))
    assert table.ending is not None
    assert table.ending.reason == "time"


def test_who_does_not_name_a_komi_in_a_later_game_loses_it_on_time() -> None:
    table = begun("lin", start=300, games=2, negotiate=True, size=5)
    table = told(table, "0 komi 4", "1 colour 0", "1 play a1", "0 play a2", "0 resign @1100")
    assert table.match.phase == "komi"
    assert again(told(table, f"- flag {table.to_act} @1400")).ending is not None


def test_a_table_ends_by_anybody_until_all_have_had_a_turn() -> None:
    table = told(begun(), "0 play 0,0 @1200")
    assert all(table.may(seat, "abort") for seat in (0, 1))
    over = again(told(table, "1 abort declined clock"))
    assert over.ending is not None
    assert over.abort is not None
    assert (over.ending.reason, over.abort.seat, over.abort.value) == ("aborted", 1, "declined clock")
    table = told(table, "1 play 1,1 2,2 @1300")
    assert not table.may(0, "abort")
    with pytest.raises(Refused, match="everyone has made a move: you can only resign now"):
        told(table, "0 abort stopped")


def test_a_table_at_which_nobody_sat_down_ends() -> None:
    assert again(told(begun(), "- abort not seated @9000")).is_over
    with pytest.raises(Refused, match="it’s too early to end this game"):
        told(begun(), "0 play 0,0", "- abort not seated @9000")


def opened(time: TimeControl = FISCHER, seats: tuple[Seat, ...] = PEOPLE) -> Table:
    """A table after everybody's first turn, at time 1100."""
    return told(begun(seats=seats, time=time), "0 play 0,0 @1040", "1 play 1,1 2,2 @1100")


def test_in_a_pause_that_all_agree_on_no_time_goes_by() -> None:
    table = told(opened(), "1 offer pause @1110", "0 accept @1120")
    assert table.clock is not None
    assert table.clock.stands_until(2000) == 1120 + DAY
    assert table.remaining(5000) == (40, 60)
    assert table.next_due() == 1120 + DAY + 40, "it ends by itself"
    table = again(told(table, "0 play 3,3 3,2 @2000"))
    assert table.remaining(3000) == (45, 60), "one may play on"
    with pytest.raises(Refused, match="the clocks are already paused"):
        told(table, "1 offer pause @2000")
    table = again(told(table, "0 offer resume @3000", "1 accept @3010"))
    assert table.next_due() == 3070
    with pytest.raises(Refused, match="the clocks aren’t paused"):
        told(table, "1 offer resume")


def test_against_bots_alone_a_pause_needs_nobodys_consent() -> None:
    table = told(opened(seats=WITH_BOT), "0 offer pause @1110")
    assert table.offer is None
    assert table.remaining(5000) == (50, 60)
    assert told(table, "0 offer resume @5000").next_due() == 5050


def test_there_is_nothing_to_pause_without_a_clock_that_runs() -> None:
    assert not begun().may(0, "offer", "pause")
    assert not begun(time=FISCHER).may(0, "offer", "pause")


def outage(table: Table, start: float, end: float, at: float) -> Table:
    return table.apply(Entry(None, "downtime", outage_value((start, end)), at))


def test_while_the_site_was_down_no_clock_ran() -> None:
    table = opened()
    assert table.is_over is False
    after = again(outage(table, 1120, 5000, 5003))
    assert after.remaining(5003) == (37, 60)
    assert after.next_due() == 1160 + 3880
    assert after.has_seen(table.entries), "it hinders nobody from acting"
    late = again(outage(table, 1170, 5000, 5003))
    assert late.due(5003) == Entry(None, "flag", 0, 5003), "the time was up before"


def test_nor_did_the_time_to_start() -> None:
    table = outage(begun(start=300), 1100, 2000, 2500)
    assert table.next_due() == 2200
    assert told(begun(time=FISCHER, start=300), "0 play 0,0 @1040").next_due() == 1340


def rested(table: Table, seat: int, calendar: Calendar, since: float, at: float) -> Table:
    return table.apply(Entry(seat, "rest", rest_value(since, calendar), at))


def test_a_vacation_stops_the_clock_of_who_takes_it_and_no_others() -> None:
    table = opened(DAYS)
    calendar = Calendar(vacations=((1000.0 + DAY, 1000.0 + 9 * DAY),))
    mine = again(rested(table, 0, calendar, 1100, 1100))
    assert mine.next_due() == 1100 + 11 * DAY
    assert rested(table, 1, calendar, 1100, 1100).next_due() == 1100 + 3 * DAY
    assert mine.has_seen(table.entries)


def test_a_vacation_that_begins_as_the_time_runs_out_is_entered_afterwards() -> None:
    table, due = opened(DAYS), 1100 + 3 * DAY
    calendar = Calendar(vacations=((due, due + DAY),))
    table = again(rested(table, 0, calendar, due, due + 20))
    assert table.due(due + 20) is None
    assert table.next_due() == due + DAY
    assert again(told(table, f"0 play 3,3 3,2 @{due + 40}")).to_act == 1


def test_one_rests_in_games_over_days_only() -> None:
    with pytest.raises(Refused, match="time off applies to correspondence games only"):
        rested(opened(), 0, Calendar(weekend=(5, 6)), 1100, 1100)


def of_four(seats: tuple[Seat, ...] = tuple(map(Seat, "abcd")), **given: str) -> Table:
    """A table of Rings for four after everybody's first turn."""
    table = begun("rings", seats, time=FISCHER, size=2, players=4, **given)  # type: ignore[arg-type]
    for moment in range(1001, 1005):
        table = told(table, f"{table.to_act} play {table.match.position.legal()[0]} @{moment}")
    return table


def test_a_bot_goes_on_for_who_leaves_where_the_table_says_so() -> None:
    table = of_four(leavers="3")
    table = again(told(table, "2 resign @1010"))
    assert table.match.seats[2] == Seat("c", bot="3")
    assert table.match.current_game.resigned_seats == ()
    table = again(told(table, "- flag 0 @1064"))
    game = table.match.current_game
    assert table.match.seats[0].bot == "3"
    assert table.to_act == 0, "the bot plays the turn"
    assert table.next_due() == 1124, "and has all the time again"
    assert game.leavers == (Leaver(2, 4, "resignation", True), Leaver(0, 4, "time", True))
    assert [seat.bot for seat in table.match.first_seats] == [""] * 4
    assert record_of(table.match).seats[2].bot == "3"


def test_the_last_person_is_not_replaced() -> None:
    table = told(of_four((Seat("a"), Seat("b"), Seat("4", bot="4"), Seat("5", bot="5")), leavers="3"))
    table = told(table, "0 resign @1010", "1 resign @1011")
    assert [seat.bot for seat in table.match.seats] == ["3", "", "4", "5"]
    assert table.match.current_game.resigned_seats == (1,)


def test_without_a_bot_the_seat_passes_and_the_order_of_leaving_is_kept() -> None:
    table = again(told(of_four(), "- flag 0 @1064", "3 resign @1070"))
    assert table.match.current_game.leavers == (
        Leaver(0, 4, "time", False),
        Leaver(3, 5, "resignation", False),
    )
    assert not table.is_over


def test_who_left_stays_away_when_a_turn_is_taken_back() -> None:
    table = told(of_four(leavers="3"), "2 resign @1010")
    action = table.match.position.legal()[0]
    table = told(table, f"0 play {action} @1011", "0 offer takeback", "1 accept", "3 accept")
    assert table.to_act == 0
    assert table.match.seats[2].bot == "3"
    assert table.match.current_game.leavers[0].seat == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: begun(leavers="3"),
        lambda: begun("rings", tuple(map(Seat, "abc")), size=2, players=3, leavers="random"),
    ],
)
def test_a_bot_for_leavers_is_of_a_level_and_among_several(make: Callable[[], Table]) -> None:
    with pytest.raises(Refused):
        make()
