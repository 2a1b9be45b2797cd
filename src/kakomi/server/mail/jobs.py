"""The periodic jobs of a site that takes mail."""

from django.db.models import Q, QuerySet

from kakomi.server.mail import inbox, mail_handler, outgoing, transports
from kakomi.server.mail.models import AnswerCount, Confirmation, ReceivedMail
from kakomi.server.site import clock
from kakomi.server.site.jobs import has_work_in

KEPT_DAYS = 30
"""Days for which a handled mail's row is kept, to recognize a repeated delivery."""
_DAY = 24 * 3600.0
GRACE = _DAY
"""Seconds for which an expired confirmation is kept, for mails that arrived in time but are handled late."""


@has_work_in(inbox.due)
def handle_mail() -> None:
    """Handle all due mails."""
    while row := inbox.claim():
        mail_handler.attempt(row)


@has_work_in(outgoing.notices_to_mail)
def write_turn_mails() -> None:
    """Queue the mails that are due to people who play by mail."""
    outgoing.write_turn_mails()


def fetch_mail() -> None:
    """Fetch new mails from the IMAP folder."""
    transports.fetch()


def _handled(now: float) -> "QuerySet[ReceivedMail]":
    return ReceivedMail.objects.filter(done_at__lt=now - KEPT_DAYS * _DAY)


def _expired(now: float) -> "QuerySet[Confirmation]":
    return Confirmation.objects.filter(expires_at__lt=now - GRACE)


def _counted(now: float) -> "QuerySet[AnswerCount]":
    return AnswerCount.objects.filter(~Q(day__in=(now // _DAY, now // _DAY - 1)))


@has_work_in(_handled, _expired)
def delete_old() -> None:
    """Delete mails handled long ago, expired confirmations with their parked mails, and old answer counts."""
    now = clock.now()
    unconfirmed = _expired(now).values("mail")
    parked = ReceivedMail.objects.filter(pk__in=unconfirmed, state=ReceivedMail.State.PARKED)
    parked.update(content=b"", state=ReceivedMail.State.IGNORED, note="never confirmed")
    _expired(now).delete()
    _handled(now).delete()
    _counted(now).delete()
