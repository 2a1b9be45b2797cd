"""What waits for a confirmation: mails, submitted turns, accounts. Each is done once, or never."""

import re
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.post import inbox
from kakomi.server.post.models import Confirmation, ReceivedMail
from kakomi.server.post.reply_addresses import LIFETIMES, Purpose
from kakomi.server.post.requests import Request
from kakomi.server.tables import models as tables
from kakomi.session import Refused

WORDS = ("confirm", "confirmed", "yes", "ok", "okay", "bestätigen", "bestätigt", "ja")
"""Of these, and of a please, the first line of a confirming mail consists."""


def is_confirming(text: str) -> bool:
    """Whether the text of a mail says that what it answers should be done: `Yes, but …` does not."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    words = re.sub(r"[.,!;:*_\"'“”„]", " ", first).lower().split()
    return any(word in WORDS for word in words) and all(word in (*WORDS, "please", "bitte") for word in words)


def keep(key: str, kind: Confirmation.Kind, **fields: object) -> int:
    """Keep what is to be confirmed, once under its key, and answer with its number. In a transaction."""
    now = clock.now()
    times = {"created_at": now, "expires_at": now + LIFETIMES[Purpose.CONFIRMATION]}
    kept, _ = Confirmation.objects.get_or_create(key=key, defaults={"kind": kind, **times, **fields})
    return kept.pk


def keep_submission(request: Request, row: tables.Table, actions: Sequence[str], base: int) -> int:
    """Keep a turn that was submitted."""
    data = {"actions": list(actions), "base": base}
    return keep(
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


def take(number: int, guest: Guest | None, at: float) -> Confirmation:
    """What somebody confirmed at a moment, from now on done; in a transaction. Raises Refused if that was too
    late."""
    found = Confirmation.objects.select_for_update().filter(pk=number, guest=guest).first()
    if found is None:
        raise Refused(lazy_message("there is nothing to confirm"))
    if found.done_at is not None:
        raise Refused(lazy_message("this has been confirmed already, and is done"))
    if found.expires_at <= at:
        raise Refused(lazy_message("it is too late to confirm this: send it again"))
    found.done_at = clock.now()
    found.save(update_fields=["done_at"])
    return found


def release_mail(confirmation: Confirmation) -> None:
    """Have the mail that was confirmed handled; its answer is its own. In a transaction."""
    parked = ReceivedMail.objects.filter(confirmations=confirmation, state=ReceivedMail.State.PARKED)
    now = clock.now()
    parked.update(state=ReceivedMail.State.WAITING, is_confirmed=True, due_at=now, attempts=0, done_at=None)
    transaction.on_commit(partial(JOBS.wake, inbox.HANDLING))
