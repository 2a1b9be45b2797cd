"""Games and tables as the API shows them."""

import time
from collections.abc import Sequence
from typing import Any

from kakomi.core import Description, Game, Position
from kakomi.core.option import Option, Options
from kakomi.server.api import schemas
from kakomi.server.tables import models, services
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Table

MOST_ENTRIES = 1_000
"""Of a log, in one answer."""

_KINDS = ("komi", "colour", "play", "swap", "resign", "offer", "accept", "decline", "withdraw", "takeback")


def game_shown(description: Description) -> schemas.GameOut:
    """A game in a list."""
    return schemas.GameOut(**_described(description))


def game_with_options(game: Game) -> schemas.GameWithOptions:
    """A game as it is set up."""
    known: dict[str, int] = {}
    options = []
    for option in game.description.options:
        options.append(_option(option, known, game.options[option.name]))
        known[option.name] = game.options[option.name]
    described = {**_described(game.description), "players": list(game.player_names)}
    return schemas.GameWithOptions(**described, options=options, points=list(game.geometry.names))


def _described(description: Description) -> dict[str, Any]:
    return {
        "name": description.name,
        "title": description.title,
        "summary": description.summary,
        "author": description.author,
        "year": description.year,
        "credit": description.credit,
        "players": list(description.player_names),
        "has_draws": description.has_draws,
        "may_negotiate": bool(description.komi_option),
        "match_games": description.match_games,
    }


def _option(option: Option, known: Options, value: int) -> schemas.OptionOut:
    return schemas.OptionOut(
        name=option.name,
        help=option.help,
        default=option.default_given(known),
        value=value,
        allowed=_allowed(option.allowed_given(known)),
        presets=list(option.presets),
    )


def _allowed(values: Sequence[int]) -> schemas.Allowed:
    if isinstance(values, range):
        return schemas.Allowed(least=values[0], most=values[-1], step=values.step)
    return schemas.Allowed(least=min(values), most=max(values), values=list(values))


def table_shown(row: models.Table, viewer: Viewer, since: int = 0) -> schemas.TableOut:
    """A table, with the entries after the first `since`."""
    table = services.table_of(row)
    match = table.match
    return schemas.TableOut(
        code=row.code,
        game=match.terms.game.name,
        options=dict(match.leg.game.options),
        entries=row.entries,
        phase=match.phase,
        to_act=table.to_act,
        may=_may(table, viewer),
        seats=[_seat(seat, table, viewer) for seat in viewer.seats],
        position=_position(match.position),
        legs=match.terms.legs,
        leg=len(match.legs),
        points=list(match.points()),
        clock=_clock(table),
        offer=schemas.OfferOut.from_orm(table.offer) if table.offer else None,
        ending=schemas.EndingOut.from_orm(table.ending) if table.ending else None,
        log=_log(table, since),
    )


def _may(table: Table, viewer: Viewer) -> list[str]:
    if viewer.free:
        return []
    return [kind for kind in _KINDS if any(table.may(seat, kind) for seat in viewer.own)]


def _seat(seat: models.Seat, table: Table, viewer: Viewer) -> schemas.SeatOut:
    leg = table.match.leg
    return schemas.SeatOut(
        number=seat.number,
        name=seat.name,
        bot=seat.bot,
        is_free=seat.is_free,
        is_yours=seat.number in viewer.own,
        player=leg.players[seat.number] if leg.players else None,
        has_resigned=seat.number in leg.resigned_seats,
        invitation=seat.invitation if seat.is_free and viewer.is_player else None,
    )


def _position(position: Position) -> schemas.PositionOut:
    texts = position.game.action_texts
    return schemas.PositionOut(
        ply=position.ply,
        to_move=position.to_move,
        is_over=position.is_over,
        stones=position.stones(),
        scores=list(position.scores()),
        turn=[texts[action] for action in position.turn],
        previous_turn=[texts[action] for action in position.previous_turn],
        legal=position.legal(),
    )


def _clock(table: Table) -> schemas.ClockOut | None:
    if table.time is None or table.clock is None:
        return None
    return schemas.ClockOut(
        kind=table.time.kind,
        initial=table.time.initial,
        increment=table.time.increment,
        remaining=list(table.clock.remaining(time.time())),
        running=table.clock.running,
    )


def _log(table: Table, since: int) -> list[schemas.EntryOut]:
    return [
        schemas.EntryOut(number=number, seat=entry.seat, kind=entry.kind, value=entry.value, at=entry.at)
        for number, entry in enumerate(table.history[since : since + MOST_ENTRIES], since + 1)
    ]
