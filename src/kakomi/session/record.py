"""Matches and records: a record holds one game of a match, and play can go on from a record."""

from collections.abc import Collection

from kakomi import catalog, records
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.session.exceptions import Refused
from kakomi.session.match import Match
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.match_game import MatchGame


def record_of(match: Match, match_game: MatchGame | None = None, *, date: str = "") -> records.Record:
    """The record of a game of a match, by default of the one being played.

    `date` is the day in ISO 8601. Raises Refused while komi and colours are being settled.
    """
    match_game = match_game or match.current_game
    if match_game.players is None:
        raise Refused(lazy_message("there is no game to record before komi and colours are settled"))
    seats = [match.seats[match_game.players.index(player)] for player in range(match_game.game.players)]
    record = records.recorded(
        match_game.game,
        match_game.actions(),
        position=match.config.position,
        seats=tuple(
            records.Seat(name=records.tidy_line(seat.name), bot=records.tidy_line(seat.bot)) for seat in seats
        ),
        date=date,
        negotiation=_negotiation(match_game),
        swapped_after=1 if match_game.swapped else None,
        match=_place_in_match(match, match_game),
        result=_result(match_game),
    )
    return _with_resignations(record, match_game)


def match_of(record: records.Record, seats: Collection[Seat]) -> Match:
    """The match that a record's game belongs to, as it stood at the end of the record.

    Each seat has the player of its own number. Comments and variations are not taken over. Raises
    Refused, or RecordError for a record that the rules don't allow.
    """
    game = records.game_of(record, catalog.game)
    record = records.checked(record, game)
    match = Match.begun(_terms(record, game), seats)
    if record.negotiation:
        match = match.name_komi(record.negotiation.named_by, record.negotiation.value)
        match = match.choose_player(record.negotiation.chosen_by, record.negotiation.chosen_by)
    match = _resigned(record, match, 0)
    for number, turn in enumerate(record.turns[: record.length], 1):
        if turn.player not in match.current_game.resigned:
            for text in turn.actions:
                match = match.play(match.to_act or 0, text)
        if record.swapped_after == number:
            match = match.swap(1 - match.config.first)
        match = _resigned(record, match, number)
    return match


def _resigned(record: records.Record, match: Match, turns: int) -> Match:
    for resignation in record.resignations:
        seat = match.current_game.seat_of(resignation.player)
        if resignation.after == turns and seat is not None:
            match = match.resign(seat)
    return match


def _terms(record: records.Record, game: Game) -> MatchConfig:
    stands = record.match
    first = 0
    if record.negotiation:
        if record.negotiation.option != game.description.komi_option:
            raise Refused(f"{record.negotiation.option} isn't negotiated in {game.description.title}")
        first = record.negotiation.named_by
    elif record.swapped_after is not None:
        if record.swapped_after != 1:
            raise Refused("colours can be swapped only after the first turn")
        first = 1
    return MatchConfig(
        game,
        games=stands.games if stands else 1,
        first=first,
        negotiate=record.negotiation is not None,
        swap=record.swapped_after is not None,
        played=stands.game - 1 if stands else 0,
        brought=tuple(float(points) for points in stands.points) if stands else (),
        position=record.position,
    )


def _negotiation(match_game: MatchGame) -> records.Negotiation | None:
    if match_game.komi is None or match_game.players is None:
        return None
    named, chosen = match_game.players[match_game.first], match_game.players[1 - match_game.first]
    option = match_game.game.description.komi_option
    return records.Negotiation(option=option, value=match_game.komi, named_by=named, chosen_by=chosen)


def _place_in_match(match: Match, match_game: MatchGame) -> records.Match | None:
    if match.config.games == 1 or match_game.players is None:
        return None
    before = match.games[: match.games.index(match_game)]
    points = match.points(before)
    brought = tuple(points[match_game.players.index(player)] for player in range(match_game.game.players))
    return records.Match(game=match.config.played + len(before) + 1, games=match.config.games, points=brought)


def _result(match_game: MatchGame) -> records.Result | None:
    if not match_game.is_over or match_game.players is None:
        return None
    result = match_game.result()
    return records.Result(
        reason="forfeit" if result.reason == "absence" else result.reason,
        winners=tuple(sorted(match_game.players[seat] for seat in result.winners)),
        scores=tuple(match_game.position.scores()),
    )


def _with_resignations(record: records.Record, match_game: MatchGame) -> records.Record:
    """A resignation within a turn counts that turn as played. A seat that left for another reason has
    resigned, unless that ended the game: then it is the reason of the result."""
    from msgspec.structs import replace

    left = dict(match_game.resigned)
    if match_game.is_over and match_game.result().reason in ("time", "forfeit", "absence"):
        left.popitem()
    starts, ply = [], 0
    for turn in record.turns:
        starts.append(ply)
        ply += len(turn.actions)
    resignations = tuple(
        records.Resignation(player=player, after=sum(start < ply for start in starts))
        for player, ply in sorted(left.items(), key=lambda item: item[1])
    )
    return replace(record, resignations=resignations)
