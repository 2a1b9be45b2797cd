"""What waits: turns for their seat's turn; mails, submitted turns and accounts for a confirmation.

A queued turn is played in the transaction of what comes before it, one a seat. One that turns out to be
illegal is dropped, and the next mail to its player says so. A confirmation is done once, or never.
"""

import re
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.turns import read_turn
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.post import inbox
from kakomi.server.post.models import QUEUED_LENGTH, Confirmation, QueuedTurn, ReceivedMail
from kakomi.server.post.reply_addresses import LIFETIMES, Purpose
from kakomi.server.post.requests import Request, Sitting
from kakomi.server.tables import models as tables
from kakomi.server.tables.extensions import Response
from kakomi.server.tables.models import Seat
from kakomi.session import Refused, Table

_WAITING = PreparedQuery(lambda table: QueuedTurn.objects.filter(table=table, dropped_at=None))


def keep_turn(at: Sitting, text: str) -> None:
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


def drop_turn(at: Sitting) -> bool:
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


TOO_LATE = lazy_message("it is too late to confirm this: send it again")
WORDS = ("confirm", "confirmed", "yes", "ok", "okay", "bestätigen", "bestätigt", "ja")
"""Of these, and of a please, the first line of a confirming mail consists."""


def is_confirming(text: str) -> bool:
    """Whether the text of a mail says that what it answers should be done: `Yes, but …` does not."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    words = re.sub(r"[.,!;:*_\"'“”„]", " ", first).lower().split()
    return any(word in WORDS for word in words) and all(word in (*WORDS, "please", "bitte") for word in words)


def keep_confirmation(key: str, kind: Confirmation.Kind, **fields: object) -> int:
    """Keep what is to be confirmed, once under its key, and answer with its number. In a transaction."""
    now = clock.now()
    times = {"created_at": now, "expires_at": now + LIFETIMES[Purpose.CONFIRMATION]}
    kept, _ = Confirmation.objects.get_or_create(key=key, defaults={"kind": kind, **times, **fields})
    return kept.pk


def keep_submission(request: Request, row: tables.Table, actions: Sequence[str], base: int) -> int:
    """Keep a turn that was submitted."""
    data = {"actions": list(actions), "base": base}
    return keep_confirmation(
        request.key,
        Confirmation.Kind.SUBMISSION,
        guest=request.guest,
        table=row,
        mail=request.mail,
        data=data,
    )


def open_submission(row: tables.Table, guest: Guest) -> Confirmation | None:
    """The turn that somebody submitted last at a table, if it still waits."""
    return _submissions(row, guest).order_by("-pk").first()


def close_submissions(row: tables.Table, guest: Guest) -> None:
    """Let what somebody submitted at a table wait no more."""
    _submissions(row, guest).update(done_at=clock.now())


def _submissions(row: tables.Table, guest: Guest) -> "QuerySet[Confirmation]":
    kept = Confirmation.objects.filter(kind=Confirmation.Kind.SUBMISSION, table=row, guest=guest)
    return kept.filter(done_at=None, expires_at__gt=clock.now())


def confirmed(number: int, guest: Guest | None, at: float) -> Confirmation:
    """What somebody confirmed at a moment, from now on done; in a transaction. Raises Refused if that was too
    late."""
    found = Confirmation.objects.select_for_update().filter(pk=number, guest=guest).first()
    if found is None:
        raise Refused(lazy_message("there is nothing to confirm"))
    if found.done_at is not None:
        raise Refused(lazy_message("this has been confirmed already, and is done"))
    if found.expires_at <= at:
        raise Refused(TOO_LATE)
    found.done_at = clock.now()
    found.save(update_fields=["done_at"])
    return found


def release_mail(confirmation: Confirmation) -> None:
    """Have the mail that was confirmed handled; its answer is its own. In a transaction."""
    parked = ReceivedMail.objects.filter(confirmations=confirmation, state=ReceivedMail.State.PARKED)
    now = clock.now()
    parked.update(state=ReceivedMail.State.WAITING, is_confirmed=True, due_at=now, attempts=0, done_at=None)
    transaction.on_commit(partial(JOBS.wake, inbox.HANDLING))
