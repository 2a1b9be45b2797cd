"""Turns that wait until it is their seat's turn: one a seat, played in the transaction of what comes before.

One that turns out to be illegal is dropped, and the next mail to its player says so.
"""

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.turns import read_turn
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery
from kakomi.server.post.models import QUEUED_LENGTH, QueuedTurn
from kakomi.server.post.requests import Sitting
from kakomi.server.tables import models as tables
from kakomi.server.tables.extensions import Response
from kakomi.server.tables.models import Seat
from kakomi.session import Refused, Table

_WAITING = PreparedQuery(lambda table: QueuedTurn.objects.filter(table=table, dropped_at=None))


def keep(at: Sitting, text: str) -> None:
    """Keep a turn for the one seat that somebody plays, in place of the one before. Raises Refused."""
    if len(at.viewer.own) != 1:
        raise Refused(lazy_message("a turn is kept for who plays one seat of a board"))
    if at.table.is_over:
        raise Refused(lazy_message("the match is over"))
    if not 0 < len(text) <= QUEUED_LENGTH:
        raise Refused(lazy_message("a turn that is kept may have {most} characters", most=QUEUED_LENGTH))
    with writing():
        tables.Table.objects.select_for_update().get(pk=at.row.pk)
        kept = {"table": at.row, "text": text, "dropped_at": None, "reason": ""}
        QueuedTurn.objects.update_or_create(seat=at.viewer.seats[at.viewer.own[0]], defaults=kept)


def drop(at: Sitting) -> bool:
    """Drop the turn that somebody has waiting at a table; False if there is none."""
    own = [at.viewer.seats[number] for number in at.viewer.own]
    with writing():
        tables.Table.objects.select_for_update().get(pk=at.row.pk)
        return QueuedTurn.objects.filter(seat__in=own, dropped_at=None).delete()[0] > 0


def queued_by(seat: Seat) -> QueuedTurn | None:
    """The turn that a seat has waiting, or had until it was dropped."""
    return QueuedTurn.objects.filter(seat=seat).first()


def respond(row: tables.Table, table: Table) -> Response | None:
    """The turn that waits for the seat to act, if it is legal now; else it is dropped."""
    if table.to_act is None or table.match.phase != "play" or table.offer is not None:
        return None
    for queued in _WAITING.rows(row.pk):
        seat = Seat.objects.get(pk=queued.seat_id)
        if seat.number != table.to_act:
            continue
        try:
            actions = read_turn(table.match.position, queued.text).actions
        except (IllegalAction, Refused) as error:
            queued.dropped_at, queued.reason = table.entries, str(error)[:300]
            queued.save(update_fields=["dropped_at", "reason"])
            return None
        queued.delete()
        key = f"queued:{queued.pk}:{table.entries}"
        return Response(seat.number, [("play", action) for action in actions], key)
    return None
