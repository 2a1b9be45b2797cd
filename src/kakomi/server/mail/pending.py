"""Queued turns, which wait for their seat to act, and mails, turns and accounts that await confirmation.

A queued turn, at most one per seat, is played in the transaction of the action before it. If it is illegal
then, it is dropped, and the next mail to its player says so. A confirmation takes effect at most once.
"""

import re
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.turns import read_turn
from kakomi.server.accounts.models import Guest
from kakomi.server.mail import inbox
from kakomi.server.mail.models import QUEUED_LENGTH, Confirmation, QueuedTurn, ReceivedMail
from kakomi.server.mail.reply_addresses import LIFETIMES, Purpose
from kakomi.server.mail.requests import Request, TableContext
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables import models as tables
from kakomi.server.tables.extensions import Response
from kakomi.server.tables.models import Seat
from kakomi.session import Refused, Table

_WAITING = PreparedQuery(lambda table: QueuedTurn.objects.filter(table=table, dropped_at=None))


def save_queued_turn(context: TableContext, text: str) -> None:
    """Queue a turn for the viewer's only seat, replacing an earlier one. Raises `Refused`."""
    if len(context.viewer.own) != 1:
        raise Refused(lazy_message("you can queue a move only on a board where you play one seat"))
    if context.table.is_over:
        raise Refused(lazy_message("the match is over"))
    if not 0 < len(text) <= QUEUED_LENGTH:
        raise Refused(lazy_message("a queued move can have up to {most} characters", most=QUEUED_LENGTH))
    with writing():
        tables.Table.objects.select_for_update().get(pk=context.row.pk)
        kept = {"table": context.row, "text": text, "dropped_at": None, "reason": ""}
        QueuedTurn.objects.update_or_create(seat=context.viewer.seats[context.viewer.own[0]], defaults=kept)


def delete_queued_turn(context: TableContext) -> bool:
    """Delete the viewer's queued turn at a table; False if there is none."""
    own = [context.viewer.seats[number] for number in context.viewer.own]
    with writing():
        tables.Table.objects.select_for_update().get(pk=context.row.pk)
        return QueuedTurn.objects.filter(seat__in=own, dropped_at=None).delete()[0] > 0


def queued_turn_of(seat: Seat) -> QueuedTurn | None:
    """The seat's queued turn, or the last one dropped as illegal."""
    return QueuedTurn.objects.filter(seat=seat).first()


def play_queued_turn(row: tables.Table, table: Table) -> Response | None:
    """The queued turn of the seat to act, if it is legal now; otherwise drop it."""
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


TOO_LATE = lazy_message("this confirmation has expired: send the command again")
WORDS = ("confirm", "confirmed", "yes", "ok", "okay", "bestätigen", "bestätigt", "ja")
"""The first line of a confirming mail consists of these words, apart from “please”."""


def is_confirming(text: str) -> bool:
    """Whether a mail's text confirms what it answers. `Yes, but …` doesn't."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    words = re.sub(r"[.,!;:*_\"'“”„]", " ", first).lower().split()
    return any(word in WORDS for word in words) and all(word in (*WORDS, "please", "bitte") for word in words)


def save_confirmation(key: str, kind: Confirmation.Kind, **fields: object) -> int:
    """Get or create the confirmation with this key, and return its primary key. Call in a transaction."""
    now = clock.now()
    times = {"created_at": now, "expires_at": now + LIFETIMES[Purpose.CONFIRMATION]}
    kept, _ = Confirmation.objects.get_or_create(key=key, defaults={"kind": kind, **times, **fields})
    return kept.pk


def save_submission(request: Request, row: tables.Table, actions: Sequence[str], base: int) -> int:
    """Store a submitted turn; return its confirmation's primary key."""
    data = {"actions": list(actions), "base": base}
    return save_confirmation(
        request.key,
        Confirmation.Kind.SUBMISSION,
        guest=request.guest,
        table=row,
        mail=request.mail,
        data=data,
    )


def open_submission(row: tables.Table, guest: Guest) -> Confirmation | None:
    """The guest's last submitted turn at a table that is still open."""
    return _submissions(row, guest).order_by("-pk").first()


def close_submissions(row: tables.Table, guest: Guest) -> None:
    """Close all turns that the guest submitted at a table."""
    _submissions(row, guest).update(done_at=clock.now())


def _submissions(row: tables.Table, guest: Guest) -> "QuerySet[Confirmation]":
    kept = Confirmation.objects.filter(kind=Confirmation.Kind.SUBMISSION, table=row, guest=guest)
    return kept.filter(done_at=None, expires_at__gt=clock.now())


def mark_confirmed(number: int, guest: Guest | None, at: float) -> Confirmation:
    """Mark a confirmation as done and return it. Call in a transaction. Raises `Refused` if there is none, it
    is done already, or it had expired at the time `at`."""
    found = Confirmation.objects.select_for_update().filter(pk=number, guest=guest).first()
    if found is None:
        raise Refused(lazy_message("there is nothing to confirm"))
    if found.done_at is not None:
        raise Refused(lazy_message("this has already been confirmed"))
    if found.expires_at <= at:
        raise Refused(TOO_LATE)
    found.done_at = clock.now()
    found.save(update_fields=["done_at"])
    return found


def release_mail(confirmation: Confirmation) -> None:
    """Requeue the parked mail of a confirmation, which then gets its own answer. Call in a transaction."""
    parked = ReceivedMail.objects.filter(confirmations=confirmation, state=ReceivedMail.State.PARKED)
    now = clock.now()
    parked.update(state=ReceivedMail.State.WAITING, is_confirmed=True, due_at=now, attempts=0, done_at=None)
    transaction.on_commit(partial(JOBS.wake, inbox.HANDLING_JOB))
