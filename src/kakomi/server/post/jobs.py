"""What the site does again and again for mail, where it takes mail at all."""

from django.db.models import Q, QuerySet

from kakomi.server import clock
from kakomi.server.job_questions import works_on
from kakomi.server.post import inbox, mail_handler, outgoing, transports
from kakomi.server.post.models import AnswerCount, Confirmation, ReceivedMail

KEPT_DAYS = 30
"""Days for which a mail that was handled is known again when it is delivered once more."""
_DAY = 24 * 3600.0
GRACE = _DAY
"""Seconds for which what has expired is kept: a mail may have come in time, and be handled late."""


@works_on(inbox.due)
def handle_mail() -> None:
    """Handle the mails that have come in."""
    while row := inbox.claim():
        mail_handler.attempt(row)


@works_on(outgoing.to_be_written)
def write_turn_mails() -> None:
    """Write the mails to who plays by mail."""
    outgoing.write_turn_mails()


def fetch_mail() -> None:
    """Fetch what has come into the folder of another mail server."""
    transports.fetch()


def _handled(now: float) -> "QuerySet[ReceivedMail]":
    return ReceivedMail.objects.filter(done_at__lt=now - KEPT_DAYS * _DAY)


def _expired(now: float) -> "QuerySet[Confirmation]":
    return Confirmation.objects.filter(expires_at__lt=now - GRACE)


def _counted(now: float) -> "QuerySet[AnswerCount]":
    return AnswerCount.objects.filter(~Q(day__in=(now // _DAY, now // _DAY - 1)))


@works_on(_handled, _expired)
def forget() -> None:
    """Delete what was handled long ago, and what nobody has confirmed in time."""
    now = clock.now()
    unconfirmed = _expired(now).values("mail")
    parked = ReceivedMail.objects.filter(pk__in=unconfirmed, state=ReceivedMail.State.PARKED)
    parked.update(content=b"", state=ReceivedMail.State.IGNORED, note="never confirmed")
    _expired(now).delete()
    _handled(now).delete()
    _counted(now).delete()
