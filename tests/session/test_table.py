"""Tables: permitted entries, draw offers, endings, and reconstruction from data."""

import json

import pytest

import kakomi
from kakomi.catalog import describe
from kakomi.core import IllegalAction
from kakomi.session import Ending, Entry, Offer, Refused, Seat, Table, TimeControl
from kakomi.session.events import LATEST
from kakomi.session.record import record_of
from session.told_tables import PEOPLE, begun, texts, told


def test_a_table_knows_what_was_done_and_who_is_to_act() -> None:
    table = told(begun(), "0 play 0,0", "1 play 1,1 2,2")
    assert (table.to_act, table.entries, table.is_over, table.ending) == (0, 2, False, None)
    assert texts(table) == ["0,0", "1,1", "2,2"]
    with pytest.raises(IllegalAction, match="R4"):
        told(table, "0 play 0,0")
    with pytest.raises(Refused, match="seat 1's turn but seat 0's"):
        told(table, "1 play 3,3")
    with pytest.raises(Refused, match="no seat 2"):
        told(table, "2 resign")
    over = told(table, "0 resign")
    assert over.ending == Ending("resignation", (1,), (1.0, 2.0))
    with pytest.raises(Refused, match="the match is over"):
        told(over, "1 play 3,3")


def test_a_game_that_ends_by_its_rules_says_so() -> None:
    table = begun("rin", size=4)
    while not table.is_over:
        table = told(table, f"{table.to_act} play {table.match.position.legal()[0]}")
    assert table.ending is not None
    assert table.ending.reason == "rules"
    assert sum(table.ending.points) == 16
    assert not table.may(0, "resign")


def test_a_text_cannot_go_on_into_the_turn_of_another_seat() -> None:
    with pytest.raises(Refused, match="seat 0's turn but seat 1's"):
        told(begun(), "0 play 0,0 1,1")


def test_what_a_seat_may_do_is_what_will_be_applied() -> None:
    table = told(begun("lin", negotiate=True, size=5))
    assert table.may(0, "komi")
    assert not any(table.may(seat, kind) for seat, kind in [(1, "komi"), (0, "play"), (0, "resign")])
    table = told(table, "0 komi 4")
    assert table.may(1, "colour")
    table = told(table, "1 colour 0")
    assert table.may(1, "play")
    assert not table.may(0, "play")
    assert table.may(0, "resign")
    assert table.may(1, "resign")
    assert not table.may(7, "resign")
    assert not table.may(0, "flag")
    swapping = told(begun(swap=True), "0 play 0,0")
    assert swapping.may(1, "swap")
    assert not swapping.may(0, "swap")
    assert told(swapping, "1 swap").to_act == 0


def test_a_draw_ends_the_game_when_the_other_accepts_it() -> None:
    table = told(begun(), "0 play 0,0", "0 offer draw")
    assert table.offer == Offer("draw", 0, (1,))
    assert [table.may(1, kind) for kind in ("accept", "decline", "withdraw", "offer")] == [1, 1, 0, 0]
    assert [table.may(0, kind) for kind in ("accept", "decline", "withdraw", "offer")] == [0, 0, 1, 0]
    with pytest.raises(Refused, match="no open offer for seat 0"):
        told(table, "0 accept")
    with pytest.raises(Refused, match="answer the draw offer first"):
        told(table, "1 offer draw")
    drawn = told(table, "1 accept")
    assert drawn.ending == Ending("agreement", (0, 1), (1.0, 0.0))
    result = record_of(drawn.match).result
    assert result is not None
    assert (result.reason, result.winners) == ("agreement", (0, 1))
    assert told(table, "1 decline").offer is told(table, "0 withdraw").offer is None


def test_an_offer_of_any_kind_waits_for_the_open_one() -> None:
    table = told(begun(), "0 play 0,0", "0 offer takeback")
    with pytest.raises(Refused, match="answer the takeback request first"):
        told(table, "1 offer draw")
    declined = told(table, "1 decline")
    with pytest.raises(Refused, match="you can ask for a takeback again after your next move"):
        told(declined, "0 offer takeback")


def test_a_seat_may_offer_if_there_is_anything_that_it_may_offer() -> None:
    lin = begun("lin", size=5)
    assert not lin.may(0, "offer"), "it has no draws, and nothing was played"
    played = told(lin, "0 play a1")
    assert played.may(0, "offer") and played.may(0, "offer", "takeback")
    assert not played.may(0, "offer", "draw") and not played.may(1, "offer")


def test_who_plays_on_has_declined_but_who_offered_may_finish_the_turn() -> None:
    table = told(begun(), "0 play 0,0", "1 play 1,1", "1 offer draw")
    offered = told(table, "1 play 2,2")
    assert offered.offer == Offer("draw", 1, (0,))
    assert offered.may(0, "accept")
    assert told(offered, "0 play 3,3").offer is None


def test_an_offer_can_be_made_again_once_one_has_acted() -> None:
    table = told(begun(), "0 play 0,0", "0 offer draw", "1 decline")
    assert not table.may(0, "offer", "draw")
    assert table.may(1, "offer", "draw")
    with pytest.raises(Refused, match="you can offer a draw again after your next move"):
        told(table, "0 offer draw")
    table = told(table, "1 play 1,1 2,2")
    assert not table.may(0, "offer", "draw")
    assert told(table, "0 play 3,3").may(0, "offer", "draw")


@pytest.mark.parametrize("kind", ["takeback", "draw"])
def test_an_offer_that_lapsed_unanswered_can_be_made_again(kind: str) -> None:
    """An offer lapses when the opponent continues playing without declining it."""
    table = told(begun(), "0 play 0,0", f"0 offer {kind}")
    lapsed = told(table, "1 play 1,1 2,2")
    assert lapsed.offer is None and lapsed.may(0, "offer", kind)
    again = told(lapsed, f"0 offer {kind}")
    assert again.offer == Offer(kind, 0, (1,))
    with pytest.raises(Refused, match="again after your next move"):
        told(again, "1 decline", f"0 offer {kind}")


def test_a_takeback_that_is_asked_again_goes_back_to_before_the_own_action() -> None:
    table = told(begun(), "0 play 0,0", "0 offer takeback", "1 play 1,1 2,2", "0 offer takeback", "1 accept")
    assert table.to_act == 0 and table.match.position == begun().match.position


def test_an_offer_lapses_unanswered_when_somebody_leaves_the_game() -> None:
    seats = [Seat(str(seat)) for seat in range(3)]
    table = begun("rings", seats, size=2, players=3)
    table = told(table, f"0 play {table.match.position.legal()[0]}", "0 offer takeback", "2 resign")
    assert table.offer is None and table.may(0, "offer", "takeback")


@pytest.mark.parametrize(("name", "draws"), [("rin", True), ("ren", True), ("rive", False), ("lin", False)])
def test_a_draw_is_offered_only_where_a_game_has_draws(name: str, draws: bool) -> None:
    table = begun(name, **describe(name).quick)
    assert table.may(0, "offer", "draw") == draws
    if not draws:
        with pytest.raises(Refused, match=f"{describe(name).title} has no draws"):
            told(table, "0 offer draw")


def test_more_than_two_cannot_agree_on_a_draw() -> None:
    table = begun("rings", [Seat(str(seat)) for seat in range(3)], size=2, players=3)
    with pytest.raises(Refused, match="only two-player games"):
        told(table, "0 offer draw")


def test_in_a_match_an_agreed_draw_counts_level_and_the_next_game_begins() -> None:
    table = told(begun("ren", games=2), "0 play a1", "1 play d4", "0 play a2", "1 play d3")
    table = told(table, "0 play a3", "1 play d2", "0 play a4", "0 offer draw", "1 accept")
    assert not table.is_over
    assert table.to_act == 1
    assert table.offer is None
    first = table.match.results()[0]
    assert first.points == (0.5, 0.5)
    assert first.winners == (0, 1)


def test_an_open_offer_lapses_when_somebody_leaves_or_the_next_game_begins() -> None:
    table = told(begun("ren", games=2), "0 play a1", "0 offer draw", "0 resign")
    assert table.offer is None
    assert table.to_act == 1
    assert table.may(0, "offer", "draw"), "another game, another offer"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kakomi_table": 9}, "version 1"),
        ({"entries": {}}, "lists of"),
        ({"at": "noon"}, "table's 'at'"),
        ({"at": True}, "table's 'at'"),
        ({"time": 5}, "a time control should be"),
        ({"time": {"initial": 0}}, "'initial' should be 1 to"),
        ({"time": {"initial": 60, "kind": "sand"}}, "byo-yomi, days, bank, total; not 'sand'"),
        ({"time": {"initial": 60, "increment": 3, "kind": "simple"}}, "no increment"),
        ({"entries": [7]}, "entry 1: an entry should be"),
        ({"entries": [{"do": "dance", "seat": 0, "at": 1}]}, "entry 1: an entry does one of"),
        ({"entries": [{"do": "play", "seat": 0, "value": "0,0"}]}, "entry 1: an entry's 'at'"),
        ({"entries": [{"do": "play", "seat": 0, "value": 3, "at": 1}]}, "entry 1: the 'value' of 'play'"),
        ({"entries": [{"do": "play", "seat": True, "value": "0,0", "at": 1}]}, "its 'seat' is a number"),
        ({"entries": [{"do": "flag", "seat": 0, "value": 0, "at": 1}]}, "it has no 'seat'"),
        ({"entries": [{"do": "flag", "value": 0, "at": 1}]}, "seat 0 still has time"),
        (
            {"entries": [{"do": "offer", "seat": 0, "value": "tea", "at": 1}]},
            "or pause or resume, not 'tea'",
        ),
        ({"entries": [{"do": "resign", "seat": 5, "at": 1}]}, "no seat 5"),
        ({"entries": [{"do": "accept", "seat": 0, "at": 1}]}, "no open offer for seat 0"),
        ({"entries": [{"do": "withdraw", "seat": 0, "at": 1}]}, "seat 0 has no open offer"),
        ({"entries": [{"do": "accept", "seat": 2, "at": 1}]}, "no seat 2: seats are numbered 0 to 1"),
        ({"entries": [{"do": "takeback", "seat": -1, "at": 1}]}, "no seat -1: seats are numbered 0 to 1"),
    ],
)
def test_bad_data_is_refused_with_the_reason(change: dict[str, object], message: str) -> None:
    with pytest.raises(Refused, match=message):
        Table.from_json({**begun().to_json(), **change})


@pytest.mark.parametrize("at", [float("nan"), float("inf"), -1, 1e300, 10**400, "1", None])
def test_a_moment_is_a_number_that_a_clock_could_show(at: float) -> None:
    with pytest.raises(Refused, match="'at' should be a time"):
        Entry(0, "resign", None, at)


def test_the_first_and_the_last_moment_are_moments() -> None:
    assert Entry(0, "resign", None, 0).at == 0
    assert Entry(0, "resign", None, LATEST).at == LATEST


@pytest.mark.parametrize("data", [None, [], "x", 3, {}])
def test_what_is_no_table_at_all_is_refused(data: object) -> None:
    with pytest.raises(Refused, match="isn't a table"):
        Table.from_json(data)


@pytest.mark.parametrize("name", kakomi.names())
def test_data_give_the_same_table(name: str) -> None:
    game = kakomi.game(name, **describe(name).quick)
    assert game.players == len(PEOPLE)
    table = begun(name, time=TimeControl(60, 2), **describe(name).quick)
    for moment in range(12):
        table = told(table, f"{table.to_act} play {table.match.position.legal()[0]} @{1001 + moment}")
    again = Table.from_json(json.loads(json.dumps(table.to_json())))
    assert again.to_json() == table.to_json()
    assert again.match.position == table.match.position
    assert (again.clock, again.at, again.history) == (table.clock, table.at, table.history)


def test_a_table_that_an_earlier_version_stored_is_read_and_written_as_it_was() -> None:
    stored = {
        "kakomi_table": 1,
        "terms": {
            "game": "ren",
            "options": {"size": 4, "rui_limit": 5, "lead": 6},
            "legs": 2,
            "first": 1,
            "negotiate": False,
            "swap": False,
            "played": 0,
            "brought": [],
        },
        "seats": [{"name": "Ann", "bot": ""}, {"name": "", "bot": "4"}],
        "time": {"kind": "fischer", "initial": 60.0, "increment": 2.0},
        "at": 1000.0,
        "entries": [
            {"do": "play", "at": 1001.5, "seat": 1, "value": "a1"},
            {"do": "resign", "at": 1002.0, "seat": 0},
        ],
    }
    table = Table.from_json(stored)
    assert table.match.config.games == 2 and len(table.match.games) == 2 and table.to_act == 0
    assert table.to_json() == stored
