"""Game records with data of their match, from which play can continue."""

import pytest

import kakomi
from kakomi import records
from kakomi.session import Seat
from kakomi.session.record import match_of, record_of
from session.matches import begun, played

SEATS = (Seat("Ann"), Seat("Bo"))


def test_each_seat_gets_the_player_of_its_own_number() -> None:
    game = kakomi.game("rin", size=4)
    again = match_of(records.recorded(game, ["0,0"]), SEATS)
    assert again.current_game.players == (0, 1)
    assert (again.config.first, again.config.games, again.config.negotiate, again.config.swap) == (
        0,
        1,
        False,
        False,
    )


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("chosen", [0, 1])
def test_a_komi_was_named_by_the_same_player(first: int, chosen: int) -> None:
    match = begun(kakomi.game("lin", size=5), negotiate=True, first=first)
    match = match.name_komi(first, 4).choose_player(1 - first, chosen)
    record = record_of(match)
    again = match_of(record, SEATS)
    assert again.current_game.players == (0, 1) and again.current_game.komi == 4
    assert record_of(again).negotiation == record.negotiation
    assert record.negotiation and again.config.first == record.negotiation.named_by


def test_a_single_game_belongs_to_no_match_and_the_second_one_to_its_own() -> None:
    game = kakomi.game("ren", size=4)
    assert record_of(begun(game)).match is None
    match = played(begun(game, games=3).resign(1), "a1")
    record = record_of(match)
    assert record.match and (record.match.game, record.match.games) == (2, 3)
    again = match_of(record, SEATS)
    assert (again.config.games, again.config.played) == (3, 1)
    assert record_of(again).match == record.match
    first = record_of(match, match.games[0]).match
    assert first and first.points == (0, 0) and record.match.points == (0, 10), "each has what was before it"
