"""A table as the API shows it."""

import time

from kakomi.core import Position
from kakomi.server.tables import models, schemas
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Table

MOST_ENTRIES = 1_000
"""Of a log, in one answer."""

_KINDS = ("komi", "colour", "play", "swap", "resign", "offer", "accept", "decline", "withdraw", "takeback")


def table_out(row: models.Table, table: Table, viewer: Viewer, since: int = 0) -> schemas.TableOut:
    """A table, with the entries after the first `since`."""
    match = table.match
    return schemas.TableOut(
        code=row.code,
        game=match.config.game.name,
        options=dict(match.current_game.game.options),
        entries=row.entries,
        phase=match.phase,
        to_act=table.to_act,
        may=_may(table, viewer),
        seats=[_seat(seat, table, viewer) for seat in viewer.seats],
        position=_position(match.position),
        legs=match.config.games,
        leg=len(match.games),
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
    leg = table.match.current_game
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
