"""Clocks: whose time runs, what a turn adds, and the consequences of running out of time."""

from typing import Any

import pytest

from kakomi.session import Ending, Entry, Refused, Seat, Table, TimeControl
from kakomi.session.record import record_of
from session.told_tables import WITH_BOT, begun, told

FISCHER = TimeControl(60, 5)
SIMPLE = TimeControl(30, kind="simple")
DAY = 86400.0


def opened(time: TimeControl = FISCHER, seats: tuple[Seat, ...] = WITH_BOT) -> Table:
    """A table of Rin after everybody's first turn, at time 1100."""
    return told(begun(seats=seats, time=time), "0 play 0,0 @1040", "1 play 1,1 2,2 @1100")


def test_without_a_clock_nothing_is_ever_due() -> None:
    table = told(begun(), "0 play 0,0 @1e9")
    assert table.remaining(2e9) is table.due(2e9) is table.next_due() is None


def test_a_first_turn_takes_no_time_and_adds_none() -> None:
    table = begun(time=FISCHER)
    assert table.next_due() is table.due(1e9) is None
    table = told(table, "0 play 0,0 @5000")
    assert table.remaining(9000) == (60, 60)
    assert table.next_due() is None
    table = told(table, "1 play 1,1 @9000", "1 play 2,2 @9500")
    assert table.remaining(9510) == (50, 60)
    assert table.next_due() == 9560


def test_negotiating_takes_no_time() -> None:
    table = begun("lin", time=FISCHER, negotiate=True, size=5)
    table = told(table, "0 komi 4 @4000", "1 colour 0 @9000")
    assert table.remaining(9500) == (60, 60)


def test_negotiating_takes_no_time_when_it_is_taken_back_to() -> None:
    table = begun("lin", WITH_BOT, time=FISCHER, negotiate=True, size=5)
    table = told(table, "0 komi 4", "1 colour 1", "0 play a1", "1 play b2", "0 play c3", "1 play d4 @1010")
    assert table.next_due() is not None
    while table.match.phase != "komi":
        table = told(table, "0 takeback @1020")
    assert table.next_due() is None
    assert table.remaining(9000) == table.remaining(1020)


def test_a_swap_is_a_first_turn() -> None:
    table = told(begun(time=FISCHER, swap=True), "0 play 0,0 @1010", "1 swap @1020", "0 play 1,1 2,2 @1030")
    assert table.to_act == 1
    assert table.next_due() == 1090


def test_fischer_adds_the_increment_at_the_end_of_a_turn_whatever_its_actions() -> None:
    table = told(opened(), "0 play 3,3 @1110")
    assert table.remaining(1110) == (50, 60)
    table = told(table, "0 play 3,2 @1120")
    assert table.remaining(1120) == (45, 60)
    assert table.next_due() == 1180
    table = told(table, "1 play 0,3 3,0 @1121")
    assert table.remaining(1121) == (45, 64)


def test_a_simple_clock_has_the_same_time_for_every_turn() -> None:
    table = told(opened(SIMPLE), "0 play 3,3 @1120")
    assert table.remaining(1120) == (10, 30)
    table = told(table, "0 play 3,2 @1129")
    assert table.next_due() == 1159
    table = told(table, "1 play 0,3 3,0 @1140")
    assert table.remaining(1140)[0] == 30  # type: ignore[index]
    assert table.next_due() == 1170


def test_offers_and_answers_cost_the_time_of_who_is_to_act() -> None:
    table = told(opened(seats=(Seat("Ada"), Seat("Ben"))), "1 offer draw @1110", "0 decline @1120")
    assert table.remaining(1120) == (40, 60)
    assert table.next_due() == 1160


def test_a_flag_falls_exactly_when_the_time_is_up() -> None:
    table = opened()
    assert table.due(1159.999) is None
    assert table.due(1160) == Entry(None, "flag", 0, 1160)
    for line, message in [
        ("- flag 0 @1159.999", "seat 0 still has time"),
        ("- flag 1 @1160", "seat 1 still has time"),
        ("0 play 3,3 @1160", "seat 0 has run out of time"),
        ("1 resign @1160", "seat 0 has run out of time"),
    ]:
        with pytest.raises(Refused, match=message):
            told(table, line)
    over = table.apply(table.due(1200))  # type: ignore[arg-type]
    assert over.ending == Ending("time", (1,), (1.0, 2.0))
    assert over.remaining(9999) == (0, 60)
    assert over.due(9999) is over.next_due() is None
    result = record_of(over.match).result
    assert result is not None
    assert (result.reason, result.winners) == ("time", (1,))
    assert Table.from_json(over.to_json()).ending == over.ending


def test_a_bot_can_lose_on_time() -> None:
    table = told(opened(), "0 play 3,3 3,2 @1101")
    assert table.due(1161) == Entry(None, "flag", 1, 1161)


def test_a_clock_that_was_set_back_takes_no_time_away() -> None:
    table = told(opened(), "0 play 3,3 @900")
    assert table.at == 1100
    assert table.history[-1].at == 1100
    assert table.remaining(1000) == (60, 60)
    assert table.due(900) is None


def test_a_takeback_gives_no_time_back() -> None:
    table = told(opened(), "0 play 3,3 3,2 @1130", "1 play 0,3 3,0 @1150")
    assert table.remaining(1150) == (35, 45)
    back = told(table, "0 takeback @1155")
    assert back.to_act == 0
    assert back.remaining(1155) == (30, 45)
    first = told(back, "0 takeback @1156")
    assert first.to_act == 0
    assert first.next_due() == 1185, "a first turn that is played again takes time"


def test_every_game_of_a_match_begins_with_full_clocks() -> None:
    table = told(begun("ren", time=FISCHER, games=2), "0 play a1 @1001", "1 play a2 @1002", "0 play d4 @1030")
    assert table.remaining(1030) == (37, 60)
    table = told(table, "- flag 1 @1090")
    assert table.to_act == 1
    assert table.match.results()[0].reason == "time"
    assert table.match.results()[0].points == (10, 0)
    assert table.remaining(2000) == (60, 60)
    assert table.next_due() is None


def test_among_several_who_is_out_of_time_leaves_and_the_others_go_on() -> None:
    """RULES G8."""
    table = begun("rings", [Seat(str(seat)) for seat in range(3)], time=FISCHER, size=2, players=3)
    for moment in range(1001, 1004):
        table = told(table, f"{table.to_act} play {table.match.position.legal()[0]} @{moment}")
    table = told(table, "- flag 0 @1070")
    assert not table.is_over
    assert (table.to_act, table.match.current_game.resigned_seats) == (1, (0,))
    assert table.next_due() == 1130
    table = told(table, "- flag 1 @1130")
    assert table.ending is not None
    assert (table.ending.reason, table.ending.winners) == ("time", (2,))
    record = record_of(table.match)
    assert [resigned.player for resigned in record.resignations] == [0]
    assert record.result is not None
    assert record.result.reason == "time"


def test_a_delay_is_before_the_time_in_every_turn() -> None:
    table = opened(TimeControl(60, 5, "delay"))
    assert table.remaining(1104) == (60, 60)
    assert table.next_due() == 1165
    table = told(table, "0 play 3,3 @1103")
    assert table.remaining(1106) == (59, 60), "one delay a turn, whatever its actions"
    table = told(table, "0 play 3,2 @1106")
    assert table.remaining(1106) == (59, 60)
    assert table.next_due() == 1171
    assert told(table, "1 play 0,3 3,0 @1108").remaining(1112) == (59, 60)


def test_byo_yomi_keeps_a_period_in_which_a_turn_ends() -> None:
    table = opened(TimeControl(60, 10, "byo-yomi", periods=3))
    assert table.remaining(1100) == (90, 90)
    table = told(table, "0 play 3,3 3,2 @1120")
    assert table.remaining(1120) == (70, 90), "of the main time what is left stays"
    table = told(table, "1 play 0,3 3,0 @1185")
    assert table.remaining(1185) == (70, 30), "the first period was begun and is whole again"
    table = told(table, "0 play 1,3 3,1 @1186", "1 play 0,2 2,0 @1201")
    assert table.remaining(1201) == (69, 20), "one period and a half: one is gone"
    assert told(table, "0 play 0,1 1,0 @1202").next_due() == 1222


def test_days_a_turn_leave_nothing_over() -> None:
    table = told(opened(TimeControl(2 * DAY, kind="days")), f"0 play 3,3 3,2 @{1100 + DAY}")
    assert table.next_due() == 1100 + 3 * DAY
    assert table.remaining(1100 + DAY) == (DAY, 2 * DAY)
    assert told(table, f"1 play 0,3 3,0 @{1100 + 2 * DAY}").next_due() == 1100 + 4 * DAY


def test_a_bank_grows_by_turns_up_to_its_cap_and_never_shrinks_for_it() -> None:
    table = told(opened(TimeControl(4 * DAY, 2 * DAY, "bank", 5 * DAY)), "0 play 3,3 3,2 @1100")
    assert table.remaining(1100) == (5 * DAY, 4 * DAY)
    table = told(table, f"1 play 0,3 3,0 @{1100 + 3 * DAY}")
    assert table.remaining(1100 + 3 * DAY) == (5 * DAY, 3 * DAY)


def test_a_total_is_for_all_turns() -> None:
    table = told(opened(TimeControl(9 * DAY, kind="total")), f"0 play 3,3 3,2 @{1100 + DAY}")
    assert table.remaining(1100 + DAY) == (8 * DAY, 9 * DAY)


@pytest.mark.parametrize("kind", ["fischer", "simple", "delay", "byo-yomi", "days", "bank", "total"])
def test_every_kind_has_a_pace_and_comes_back_from_its_data(kind: Any) -> None:
    cap, periods = 90.0 if kind == "bank" else 0.0, 2 if kind == "byo-yomi" else 0
    has_increment = kind in ("fischer", "delay", "byo-yomi", "bank")
    control = TimeControl(60, 5 if has_increment else 0, kind, cap, periods)
    assert TimeControl.from_json(control.to_json()) == control
    assert control.pace == ("days" if kind in ("days", "bank", "total") else "live")


@pytest.mark.parametrize(
    "impossible",
    [
        {"kind": "days", "increment": 5},
        {"kind": "total", "increment": 5},
        {"kind": "bank", "cap": 59},
        {"kind": "bank"},
        {"kind": "fischer", "cap": 90},
        {"kind": "byo-yomi", "increment": 5},
        {"kind": "byo-yomi", "periods": 2},
        {"kind": "simple", "periods": 2},
        {"kind": "byo-yomi", "increment": 5, "periods": 2.0},
        {"kind": "hourglass"},
    ],
)
def test_impossible_controls_are_refused(impossible: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        TimeControl.from_json({"initial": 60} | impossible)


def test_the_longest_time_is_thirty_days() -> None:
    longest = 30 * 24 * 3600
    assert TimeControl(longest, longest).initial == longest
    for initial, increment in ((longest + 1, 0), (60, longest + 1)):
        with pytest.raises(Refused, match="2592000 seconds"):
            TimeControl(initial, increment)


def test_data_without_an_increment_has_none_and_without_a_time_is_refused() -> None:
    assert TimeControl.from_json({"initial": 60}) == TimeControl(60, 0)
    with pytest.raises(Refused, match="'initial' should be 1 to"):
        TimeControl.from_json({"increment": 5})
