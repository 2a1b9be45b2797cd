"""The queue of incoming mails: stored once each, leased to a handler, and retried on failure; and bounces.

Bounces are counted, never answered; after `MOST_BOUNCES` permanent ones the site stops mailing that person.
"""

import email
import hashlib
import logging
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.server.accounts.models import Guest
from kakomi.server.mail.models import ADDRESS_LENGTH, Correspondent, ReceivedMail
from kakomi.server.mail.reply_addresses import Purpose, is_bounce_address, is_site_address, token_among
from kakomi.server.notices.digests import stop_mail
from kakomi.server.notices.models import Mailing
from kakomi.server.notices.outbox import pause_after
from kakomi.server.notices.preferences import mail_address
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.site import clock
from kakomi.server.site.database import is_away, writing
from kakomi.server.site.django_private import PreparedQuery

LARGEST = 1 << 20
"""The size limit of a mail in bytes."""
LEASE = 120.0
"""The lease on a claimed mail in seconds; longer than handling takes."""
LONGEST_WAIT = 7 * 86_400.0
"""Seconds; the earliest that a mail's arrival at another mail server counts as its time of receipt."""
MOST_ATTEMPTS = 8
NULL_SENDER = "<>"
HANDLING_JOB = "kakomi.server.mail.jobs.handle_mail"
_NAMING = ("message-id", "from", "to", "date", "subject")
"""Headers that no server changes in transit."""
_LOG = logging.getLogger(__name__)


def receive(
    data: bytes, *, sender: str = "", recipients: Sequence[str] = (), came_at: float | None = None
) -> bool:
    """Store an incoming mail, durably by the time this returns; False if it was stored before.

    `sender` and `recipients` are the envelope's, if known. `came_at` is when another mail server accepted it,
    clamped to between `LONGEST_WAIT` ago and now. Raises `ValueError` for a mail that is too large.
    """
    if len(data) > LARGEST:
        raise ValueError(f"a mail may have {LARGEST:,} bytes; this one has {len(data):,}")
    key, now = mail_key(data), clock.now()
    if _KNOWN.rows(key):
        return False
    fields = {
        "content": data,
        "sender": sender.lower()[:ADDRESS_LENGTH],
        "recipient": _recipient(recipients)[:ADDRESS_LENGTH],
        "received_at": min(max(came_at or now, now - LONGEST_WAIT), now),
        "due_at": now,
    }
    with writing():
        _, is_new = ReceivedMail.objects.get_or_create(key=key, defaults=fields)
        if is_new:
            transaction.on_commit(partial(JOBS.wake, HANDLING_JOB))
    return is_new


_KNOWN = PreparedQuery(lambda key: ReceivedMail.objects.filter(key=key).only("pk"))


def mail_key(data: bytes) -> str:
    """A digest that identifies a mail, whichever way it arrived and whatever its line endings."""
    message = email.message_from_bytes(data)
    named = [
        f"{name}: {' '.join(str(value).split())}" for name in _NAMING for value in message.get_all(name, [])
    ]
    lines = [line.rstrip() for line in data.splitlines()]
    body = b"\n".join(lines[lines.index(b"") :] if b"" in lines else lines).strip()
    return hashlib.sha256("\n".join(named).encode(errors="replace") + b"\n" + body).hexdigest()


def _recipient(addresses: Sequence[str]) -> str:
    """The site's address among the recipients, preferably the one with a token; empty if none."""
    own = [address.lower() for address in addresses if is_site_address(address)]
    if len(own) < 2:
        return own[0] if own else ""
    secret = (address for address in own if token_among([address]))
    return next(secret, own[0])


def due(now: float) -> "QuerySet[ReceivedMail]":
    """The mails that are due, oldest first."""
    waiting = ReceivedMail.objects.filter(state=ReceivedMail.State.WAITING, due_at__lte=now)
    return waiting.order_by("due_at", "pk")


_DUE = PreparedQuery(
    lambda state, now: (
        ReceivedMail.objects.filter(state=state)
        .filter(due_at__lte=now)
        .order_by("due_at", "pk")
        .select_for_update(skip_locked=True)[:1]
    )
)


def claim() -> ReceivedMail | None:
    """Lease a due mail to the caller for `LEASE` seconds; None if there is none."""
    with writing():
        now = clock.now()
        row = _DUE.first(ReceivedMail.State.WAITING, now)
        if row:
            row.attempts, row.due_at = row.attempts + 1, now + LEASE
            row.save(update_fields=["attempts", "due_at"])
        return row


def lock(row: ReceivedMail) -> ReceivedMail | None:
    """Lock the row of a claimed mail in this transaction; None if another process has taken it over."""
    return _CLAIMED.first(row.pk, row.attempts, ReceivedMail.State.WAITING)


_CLAIMED = PreparedQuery(
    lambda number, attempts, state: (
        ReceivedMail.objects.filter(pk=number)
        .filter(attempts=attempts)
        .filter(state=state)
        .select_for_update()
    )
)


def settle(row: ReceivedMail, state: ReceivedMail.State, note: str = "") -> None:
    """Set the final state of a locked mail. Its content is deleted unless it is parked for confirmation."""
    row.state, row.note, row.done_at = state, note[:300], clock.now()
    if state != ReceivedMail.State.PARKED:
        row.content = b""
    row.save(update_fields=["state", "note", "done_at", "content", "guest"])


def ignore(row: ReceivedMail, why: str) -> None:
    """Settle a claimed mail as ignored, without an answer."""
    with writing():
        if locked := lock(row):
            settle(locked, ReceivedMail.State.IGNORED, why)


def note_failure(row: ReceivedMail, error: Exception) -> None:
    """Schedule a retry of a claimed mail, up to `MOST_ATTEMPTS`. Re-raises if the database is unreachable."""
    if is_away(error):
        raise error
    _LOG.error("%s could not be handled", row, exc_info=error)
    with writing():
        if (locked := lock(row)) is None:
            return
        if row.attempts >= MOST_ATTEMPTS:
            settle(locked, ReceivedMail.State.FAILED, str(error) or type(error).__name__)
            return
        locked.due_at, locked.note = clock.now() + pause_after(row.attempts), str(error)[:300]
        locked.save(update_fields=["due_at", "note"])


MOST_BOUNCES = 3
"""After this many permanent bounces without a mail from the person in between, mail stops; games continue."""


def is_bounce(row: ReceivedMail, mail: IncomingMail) -> bool:
    """Whether a mail was sent to the bounce address."""
    return any(is_bounce_address(address) for address in (row.recipient, *mail.recipients) if address)


def handle_bounce(row: ReceivedMail, mail: IncomingMail) -> None:
    """Count a bounce, if it is permanent and its address is valid."""
    token = token_among((row.recipient, *mail.recipients))
    if token is None or token.purpose != Purpose.BOUNCE or not token.is_valid_at(row.received_at):
        ignore(row, "no mail of ours that could come back")
        return
    permanent = next((bounce for bounce in mail.bounces if bounce.is_permanent), None)
    with writing():
        if (locked := lock(row)) is None:
            return
        if permanent:
            _count(token.guest, permanent.reason or permanent.status)
        locked.guest = Guest.objects.filter(pk=token.guest).first()
        settle(locked, ReceivedMail.State.DONE, "a mail came back")


def _count(guest: int, why: str) -> None:
    address = mail_address(guest)
    Correspondent.objects.get_or_create(guest_id=guest)
    known = Correspondent.objects.select_for_update().get(guest=guest)
    known.bounces = known.bounces + 1 if known.bounced_to == address else 1
    known.bounced_to = address
    if known.bounces == MOST_BOUNCES:
        Mailing.objects.get_or_create(guest_id=guest)
        stop_mail(Mailing.objects.select_for_update().get(guest=guest), why, known.bounces)
    known.save()


def reset_bounces(guest: Guest) -> None:
    """Reset a person's bounce count, because they have answered a mail."""
    Correspondent.objects.filter(guest=guest, bounces__gt=0).update(bounces=0)
