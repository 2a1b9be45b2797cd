"""Matches: seats, negotiation, swaps, resignation, several games, takebacks, and their data."""

import json
import pickle
import random
import threading
from pathlib import Path

import pytest

import kakomi
from kakomi import records
from kakomi.bots import RandomBot, make_bot
from kakomi.catalog import describe
from kakomi.core import Game, IllegalAction, Position
from kakomi.session import Event, Match, MatchConfig, Refused, Seat, act_for_bot
from kakomi.session.record import match_of, record_of
from session.matches import begun, played, played_out, quick

TERCET = Path(__file__).parent.parent / "sixth_game" / "kakomi-tercet" / "src"


@pytest.fixture
def tercet(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game for three players in which nobody can pass."""
    monkeypatch.syspath_prepend(str(TERCET))
    from kakomi_tercet import GAME  # type: ignore[import-not-found]

    return Game(GAME, {"size": 4, "stones": 5})


@pytest.mark.parametrize("name", kakomi.names())
def test_a_match_ends_as_the_rules_say(name: str) -> None:
    game = quick(name)
    match = played_out(begun(game, negotiate=bool(game.description.komi_option)))
    result, returns = match.current_game.result(), match.position.returns()
    assert match.current_game.players is not None
    assert [returns[player] for player in match.current_game.players] == list(result.returns)
    assert [match.position.scores()[player] for player in match.current_game.players] == list(result.points)
    assert match.winners() == result.winners
    assert not result.by_resignation
    assert match.to_act is None


@pytest.mark.parametrize("name", kakomi.names())
def test_data_and_records_give_the_same_match(name: str) -> None:
    match = begun(quick(name), negotiate=bool(describe(name).komi_option))
    bot = make_bot("random", seed=2)
    for _ in range(40):
        data = json.loads(json.dumps(match.to_json()))
        assert Match.from_json(data).to_json() == match.to_json()
        if match.current_game.players is not None:
            again = match_of(record_of(match), match.seats)
            assert again.position == match.position
            assert record_of(again) == record_of(match)
        if match.is_over:
            break
        match = act_for_bot(match, bot)
    copied = pickle.loads(pickle.dumps(match))
    assert copied.position == match.position
    assert copied.events == match.events


@pytest.mark.parametrize("name", kakomi.names())
def test_taking_back_goes_to_where_the_match_was(name: str) -> None:
    chance, bot = random.Random(name), make_bot("random", seed=3)
    match = begun(quick(name))
    for _ in range(30):
        match = act_for_bot(match, bot)
    seat = chance.choice([event.seat for event in match.events])
    last = max(number for number, event in enumerate(match.events) if event.seat == seat)
    back = match.taken_back([seat])
    assert back.events == match.events[:last]
    assert back.to_act == seat
    with pytest.raises(Refused, match="no move to take back"):
        begun(quick(name)).taken_back([0, 1])


def test_only_the_seat_to_act_acts_and_only_legally() -> None:
    match = begun(kakomi.game("rin", size=4), first=1)
    with pytest.raises(Refused, match="seat 0's turn but seat 1's"):
        match.play(0, "0,0")
    for kind, value in (("play", "0,0"), ("resign", None), ("draw", None)):
        with pytest.raises(Refused, match="no seat 2: seats are numbered 0 to 1"):
            match.apply(Event(2, kind, value))  # type: ignore[arg-type]
    with pytest.raises(IllegalAction, match="'9,9' isn't an action in Rin: actions look like 0,0"):
        match.play(1, "9,9")
    match = match.play(1, "0,0")
    with pytest.raises(IllegalAction, match="R4"):
        match.play(0, "0,0")
    assert len(match.events) == 1
    with pytest.raises(Refused, match="isn't over"):
        match.winners()
    with pytest.raises(Refused, match="has started"):
        match.name_komi(0, 2)
    over = played_out(match)
    with pytest.raises(Refused, match="over"):
        over.play(0, "0,0")
    with pytest.raises(Refused, match="over"):
        over.resign(0)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("chosen", [0, 1])
def test_the_komi_is_named_by_one_and_the_colour_chosen_by_the_other(first: int, chosen: int) -> None:
    """RULES L5."""
    match = begun(kakomi.game("lin", size=5), negotiate=True, first=first)
    second = 1 - first
    assert (match.phase, match.to_act) == ("komi", first)
    with pytest.raises(Refused, match="name a komi first"):
        match.play(first, "a1")
    with pytest.raises(Refused, match=f"seat {second}'s turn but seat {first}'s"):
        match.name_komi(second, 4)
    with pytest.raises(Refused, match="0 to 24, even"):
        match.name_komi(first, 5)
    match = match.name_komi(first, 4)
    assert (match.phase, match.to_act) == ("colour", second)
    with pytest.raises(Refused, match="no player 2"):
        match.choose_player(second, 2)
    match = match.choose_player(second, chosen)
    assert match.current_game.game.options["komi"] == 4
    assert match.current_game.seat_of(chosen) == second
    assert match.to_act == match.current_game.seat_of(0)
    agreed = record_of(match).negotiation
    assert agreed is not None
    assert (agreed.option, agreed.value, agreed.chosen_by) == ("komi", 4, chosen)


def test_bots_negotiate() -> None:
    match = begun(kakomi.game("lin", size=5), negotiate=True)
    match = act_for_bot(match, make_bot("1"))
    fair = match.current_game.komi
    match = act_for_bot(match, make_bot("1"))
    assert match.current_game.players == (1, 0), "with a fair komi, or less, the bot takes Black"
    greedy = begun(match.config.game, negotiate=True).name_komi(0, (fair or 0) + 10)
    assert act_for_bot(greedy, make_bot("1")).current_game.players == (0, 1)


def test_a_bot_swaps_where_it_may_and_wants_to() -> None:
    class Greedy(RandomBot):
        def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
            return True

    swapping, plain = (begun(kakomi.game("rin", size=4), swap=swap).play(0, "1,1") for swap in (True, False))
    assert act_for_bot(swapping, Greedy(1)).current_game.swapped
    assert act_for_bot(act_for_bot(swapping, Greedy(1)), Greedy(1)).position.ply == 2, "once"
    assert not act_for_bot(swapping, RandomBot(1)).current_game.swapped
    assert act_for_bot(plain, Greedy(1)).position.ply == 2


def test_the_second_player_may_swap_once_after_the_first_turn() -> None:
    """RULES V7: a swap belongs to the match."""
    match = begun(kakomi.game("rin", size=4), swap=True)
    with pytest.raises(
        Refused, match="colours can be swapped only in place of the second player’s first move"
    ):
        match.swap(0)
    match = match.play(0, "1,1")
    assert match.current_game.may_swap
    swapped = match.swap(1)
    assert swapped.current_game.players == (1, 0)
    assert swapped.to_act == 0
    assert not swapped.current_game.may_swap
    assert record_of(swapped).swapped_after == 1 and record_of(match).swapped_after is None
    again = match_of(record_of(swapped), swapped.seats)
    assert again.position == swapped.position and again.current_game.swapped
    later = match.play(1, "2,2")
    with pytest.raises(
        Refused, match="colours can be swapped only in place of the second player’s first move"
    ):
        later.swap(1)
    with pytest.raises(Refused, match="this game has no colour swap"):
        begun(kakomi.game("rin", size=4)).play(0, "1,1").swap(1)


def test_a_match_of_two_games_changes_the_first_player_and_adds_points() -> None:
    """RULES N11."""
    match = played_out(begun(kakomi.game("ren", size=4), games=2))
    first, second = match.games
    assert first.players == (0, 1)
    assert second.players == (1, 0)
    one, two = first.position.scores(), second.position.scores()
    assert match.points() == (one[0] + two[1], one[1] + two[0])
    best = max(match.points())
    assert match.winners() == tuple(seat for seat in (0, 1) if match.points()[seat] == best)


@pytest.mark.parametrize(
    ("stones", "resigner", "points"),
    [
        ("", 0, (0, 10)),
        ("a1 h8 a2 h7 a3 h6 a4", 0, (1, 11)),
        ("a1 h8 a2 h7 a3 h6 a4", 1, (10, 0)),
    ],
)
def test_a_resigned_game_of_a_match_is_lost_by_ten_at_least(
    stones: str, resigner: int, points: tuple[int, int]
) -> None:
    """RULES N11: by the points so far or by 10, whichever is more."""
    match = played(begun(kakomi.game("ren", size=8), games=2), stones).resign(resigner)
    result = match.results()[0]
    assert result.by_resignation
    assert result.points == points
    assert result.winners == (1 - resigner,)
    assert match.to_act == 1, "the next game has begun"


def test_the_last_of_three_wins_by_ten_over_the_better_of_those_who_resigned() -> None:
    """RULES N11, among more than two."""
    match, bot = begun(kakomi.game("rings", size=3, players=3), games=2), make_bot("random", seed=1)
    while not (match.position.scores()[0] > match.position.scores()[1] + 1 and match.to_act == 0):
        match = act_for_bot(match, bot)
    scores = match.position.scores()
    (result,) = match.resign(0).resign(1).results()
    assert result.points == (scores[0], scores[1], max(scores[2], scores[0] + 10))
    assert match.resign(0).resign(1).to_act == 1, "the next seat begins the next game"


def test_a_game_of_a_match_that_is_taken_up_again_brings_its_points() -> None:
    match = begun(kakomi.game("ren", size=4), games=2).resign(0).play(1, "a1")
    record = record_of(match)
    assert record.match == records.Match(game=2, games=2, points=(10, 0))
    again = match_of(record, match.seats)
    assert again.points() == (10, 0)
    assert played_out(again).is_over


def test_a_single_resigned_game_keeps_its_scores() -> None:
    match = begun(kakomi.game("ren", size=4)).resign(0)
    assert match.is_over
    assert match.current_game.result().points == (0, 0)
    assert match.winners() == (1,)
    result = record_of(match).result
    assert result is not None
    assert (result.reason, result.winners) == ("resignation", (1,))


def test_who_resigns_among_three_passes_from_then_on() -> None:
    """RULES G8."""
    game = kakomi.game("rings", size=3, players=3)
    match = begun(game).play(0, game.start().legal()[0])
    match = match.resign(2)
    assert match.to_act == 1, "others play on"
    with pytest.raises(Refused, match="has already resigned"):
        match.resign(2)
    match = match.play(1, match.position.legal()[0])
    assert match.to_act == 0, "player 2's turn was passed"
    assert match.current_game.automatic == {2}
    texts = [game.action_texts[action] for action in match.current_game.actions()]
    assert texts[2] == "pass"
    assert record_of(match).resignations == (records.Resignation(player=2, after=1),)
    again = match_of(record_of(match), match.seats)
    assert again.position == match.position
    assert again.current_game.automatic == {2}
    match = match.resign(0)
    assert match.is_over, "one is left"
    assert match.winners() == (1,)
    assert records.checked(record_of(match), game).resignations[1].player == 0


def test_resigning_within_a_turn_ends_it_and_the_resigned_cannot_win() -> None:
    """RULES G8."""
    game = kakomi.game("rings", size=3, players=3)
    bot = make_bot("random", seed=5)
    match = begun(game)
    while not (match.position.turn and match.position.to_move == 0):
        match = act_for_bot(match, bot)
    ply = match.position.ply
    match = match.resign(0)
    assert game.action_texts[match.current_game.actions()[ply]] == "end"
    assert match.to_act == 1
    assert match_of(record_of(match), match.seats).position == match.position
    match = played_out(match, seed=6)
    assert match.current_game.result().returns[0] == -0.5
    assert 0 not in match.winners()


def test_where_nobody_can_pass_a_resignation_ends_the_game(tercet: Game) -> None:
    match = played_out_for(begun(tercet), 5)
    match = match.resign(1)
    assert match.is_over
    scores = match.position.scores()
    best = max(scores[0], scores[2])
    assert match.winners() == tuple(seat for seat in (0, 2) if scores[seat] == best)
    assert sum(match.current_game.result().returns) == pytest.approx(0)


def played_out_for(match: Match, actions: int) -> Match:
    bot = make_bot("random", seed=7)
    for _ in range(actions):
        match = act_for_bot(match, bot)
    return match


@pytest.mark.parametrize("first", [0, 1, 2])
def test_any_of_three_seats_may_be_the_first_and_the_others_follow_in_turn(first: int) -> None:
    match = begun(kakomi.game("rings", size=3, players=3), first=first)
    order = []
    for action in ("pass", "pass"):
        order.append(match.to_act)
        match = match.play(match.to_act or 0, action)
    assert [*order, match.to_act] == [(first + turn) % 3 for turn in range(3)]
    assert match.current_game.players == tuple((seat - first) % 3 for seat in range(3))


def test_events_may_carry_the_time_they_took() -> None:
    match = begun(kakomi.game("rin", size=4)).play(0, "0,0", seconds=1.5)
    assert match.last == Event(0, "play", "0,0", 1.5)
    assert match.last.to_json() == {"seat": 0, "do": "play", "value": "0,0", "seconds": 1.5}
    assert Event(0, "resign").to_json() == {"seat": 0, "do": "resign"}
    assert Match.from_json(match.to_json()).last == match.last


def test_a_game_from_a_position_has_a_record_and_is_taken_up_from_it() -> None:
    game, start = kakomi.game("rin", size=4), "4/1b2/4/4 w left_in_turn=2"
    match = Match.begun(MatchConfig(game, position=start), [Seat("Ann"), Seat("Bo")]).play(1, "0,0")
    record = record_of(match)
    assert record.position == start and [turn.player for turn in record.turns] == [1]
    assert match_of(record, match.seats).position == match.position
