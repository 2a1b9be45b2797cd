"""Refusals of invalid match terms, data and records, with the reason."""

import json
from typing import Any

import pytest

import kakomi
from kakomi import records
from kakomi.bots import make_bot
from kakomi.session import Match, MatchConfig, Refused, Seat, act_for_bot
from kakomi.session.match_config import MOST_GAMES
from kakomi.session.record import match_of, record_of
from session.matches import begun, played_out


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"games": 0}, "1 to 20 games"),
        ({"first": 2}, "seat 2 can't begin"),
        ({"negotiate": True}, "no komi"),
        ({"played": 1}, "don't fit"),
    ],
)
def test_terms_that_make_no_sense_are_refused(terms: dict[str, int], message: str) -> None:
    with pytest.raises(Refused, match=message):
        begun(kakomi.game("rin", size=4), **terms)


def test_a_match_may_have_so_many_games_and_no_more() -> None:
    rin = kakomi.game("rin", size=4)
    assert MatchConfig(rin, games=MOST_GAMES).games == MOST_GAMES == 20
    with pytest.raises(Refused, match="1 to 20 games, not 21"):
        MatchConfig(rin, games=21)


@pytest.mark.parametrize(
    "terms",
    [
        {},
        {"position": "4/1b2/4/4 w left_in_turn=2"},
        {"games": 3, "first": 1, "swap": True, "played": 1, "brought": (3.0, 4.5)},
    ],
)
def test_terms_are_the_same_when_they_are_read_again(terms: dict[str, Any]) -> None:
    config = MatchConfig(kakomi.game("rin", size=4), **terms)
    assert MatchConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_terms_that_say_little_are_those_of_a_single_game() -> None:
    assert MatchConfig.from_json({"game": "rin"}) == MatchConfig(kakomi.game("rin"))


def test_seats_must_fit() -> None:
    with pytest.raises(Refused, match="needs 2 seats here, not 3"):
        Match.begun(MatchConfig(kakomi.game("rin", size=4)), [Seat()] * 3)


GOOD = begun(kakomi.game("rin", size=4)).play(0, "0,0").to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kakomi_match": 2}, "version 1"),
        ({"terms": []}, "terms should be"),
        ({"terms": {"game": "rin", "options": 3}}, "terms should be"),
        ({"terms": {"game": "chess"}}, "no game 'chess'"),
        ({"terms": {"game": "rin", "options": {"name": 1}}}, "no option 'name'"),
        ({"terms": {"game": "rin", "legs": "2"}}, "'legs' is wrong"),
        ({"terms": {"game": "rin", "brought": ["x", 1]}}, "'brought' should be"),
        ({"seats": None}, "lists of"),
        ({"seats": [1, 2]}, "a seat should be"),
        ({"seats": [{"name": 1}, {}]}, "a seat should be"),
        ({"events": [{}]}, "event 1: an event should be"),
        ({"events": [{"do": "play", "value": "0,0"}]}, "event 1: an event's 'seat'"),
        ({"events": [{"do": "play", "seat": 0, "value": 3}]}, "event 1: the 'value' of 'play'"),
        ({"events": [{"do": "play", "seat": 0, "value": "0,0", "seconds": "x"}]}, "event 1: .*'seconds'"),
        ({"events": [{"do": "play", "seat": 0, "value": "7,7"}]}, "event 1: '7,7' isn't an action"),
        ({"events": [{"do": "resign", "seat": 5}]}, "event 1: there is no seat 5"),
    ],
)
def test_bad_data_is_refused_with_the_reason(change: dict[str, object], message: str) -> None:
    with pytest.raises(Refused, match=message):
        Match.from_json({**GOOD, **change})


def test_what_is_no_match_at_all_is_refused() -> None:
    for data in (None, [], "x", 3, {}):
        with pytest.raises(Refused, match="isn't a match"):
            Match.from_json(data)


@pytest.mark.parametrize(
    ("name", "terms", "message"),
    [
        ("lin", {"negotiate": True, "swap": True}, "komi negotiation and colour swap can’t be combined"),
        ("rin", {"swap": True, "position": "4/4/4/4 b"}, "neither a komi to negotiate nor a swap"),
        ("lin", {"negotiate": True, "position": "5/5/5/5/5 b"}, "neither a komi to negotiate nor a swap"),
        ("rin", {"position": "4/4/4 b"}, "has 4 rows of points, not 3"),
        ("rin", {"position": "bbbb/bbbb/bbbb/bbbb b"}, "over in this position"),
        ("rings", {"swap": True}, "for two players only"),
    ],
)
def test_terms_that_exclude_each_other_are_refused(name: str, terms: dict[str, object], message: str) -> None:
    options = {"rin": {"size": 4}, "lin": {"size": 5}, "rings": {"size": 3, "players": 3}}[name]
    with pytest.raises(Refused, match=message):
        begun(kakomi.game(name, **options), **terms)


def test_what_needs_a_game_under_way_is_refused_before_and_after_it() -> None:
    over = played_out(begun(kakomi.game("rin", size=4)))
    before = begun(kakomi.game("lin", size=5), negotiate=True)
    with pytest.raises(Refused, match="the game can’t be recorded before komi and colours are settled"):
        record_of(before)
    with pytest.raises(Refused, match="you can offer a draw only during the game"):
        over.current_game.agree_draw(0)
    with pytest.raises(Refused, match="the game isn't over yet"):
        before.current_game.result()
    with pytest.raises(Refused, match="the game isn't over yet"):
        begun(kakomi.game("rin", size=4)).current_game.result()
    with pytest.raises(Refused, match="the match is over"):
        act_for_bot(over, make_bot("random"))
    with pytest.raises(Refused, match="the match isn't over yet"):
        begun(kakomi.game("ren", size=4), games=2).resign(0).winners()


def test_a_colour_is_chosen_once_by_the_other_when_the_komi_is_named() -> None:
    match = begun(kakomi.game("lin", size=5), negotiate=True)
    with pytest.raises(Refused, match="name a komi first"):
        match.choose_player(0, 0)
    named = match.name_komi(0, 4)
    with pytest.raises(Refused, match="it isn't seat 0's turn but seat 1's"):
        named.choose_player(0, 0)
    with pytest.raises(Refused, match="choose a colour first"):
        named.play(1, "a1")
    with pytest.raises(Refused, match=r"there is no player 2: choose 0 \(Black\) or 1 \(White\)"):
        named.choose_player(1, 2)
    chosen = named.choose_player(1, 1)
    with pytest.raises(Refused, match="has started"):
        chosen.choose_player(0, 1)
    assert [before.current_game.seat_of(0) for before in (match, named, chosen)] == [None, None, 0]


def test_records_of_what_no_match_can_do_are_refused() -> None:
    """Both are valid in records, since other programs may allow them."""
    lin, rin = kakomi.game("lin", size=5), kakomi.game("rin", size=4)
    size = records.Negotiation(option="size", value=5, named_by=0, chosen_by=1)
    with pytest.raises(Refused, match="size isn't negotiated in Lin"):
        match_of(records.recorded(lin, ["a1"], negotiation=size), [Seat()] * 2)
    late = records.recorded(rin, ["0,0", "1,1", "2,2"], swapped_after=2)
    with pytest.raises(Refused, match="swapped only after the first turn"):
        match_of(late, [Seat()] * 2)
