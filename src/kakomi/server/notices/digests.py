"""Mails that say what somebody was told, and whose turn it still is: written in time, and never twice.

A digest names notices. Which of them are still true is looked up once more when it is sent.
"""

from django.db.models import Min, Q, QuerySet

from kakomi.server import clock
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.notices.addresses import MAILABLE, mail_address
from kakomi.server.notices.kinds import BY_MAIL, URGENT
from kakomi.server.notices.models import Mailing, Notice
from kakomi.server.notices.outbox import post
from kakomi.server.notices.rhythm import PACES, mail_moment
from kakomi.server.notices.services import notify
from kakomi.server.notices.wishes import wanted_kinds

LEAST_WAIT = PACES["now"][1]
"""Seconds in which somebody who is there acts by themselves: only what is urgent is mailed earlier."""
MOST_REFUSALS = 5
"""So many refusals in succession, and somebody is mailed no more; the page says so."""
MOST = 200
"""Guests that are looked after at a time."""
PLAYED_BY_MAIL = Q(
    Q(table=None) | ~Q(table__pace="live"), kind__in=BY_MAIL, guest__mailing__plays_by_mail=True
)
"""Of notices: those that become mails of their own for who plays by mail, where the site takes mail."""


def to_be_mailed(now: float) -> "QuerySet[Notice]":
    """The notices for which it is time that somebody looks whether they are mailed."""
    unread = _undigested(Notice.objects.filter(MAILABLE, read_at=None, mailed_at=None))
    is_time = Q(guest__mailing=None) | Q(guest__mailing__next_at__lte=now)
    return unread.filter(Q(is_time, at__lte=now - LEAST_WAIT) | Q(kind__in=URGENT))


def _undigested(notices: "QuerySet[Notice]") -> "QuerySet[Notice]":
    """Notices without those that become mails of their own."""
    if not configuration().post_address:
        return notices
    return notices.exclude(pk__in=Notice.objects.filter(PLAYED_BY_MAIL, mailed_at=None).values("pk"))


def write_digests() -> None:
    """Write the digests that are due."""
    longest = to_be_mailed(clock.now()).values("guest").annotate(first=Min("at")).order_by("first")
    for guest in list(longest.values_list("guest", flat=True)[:MOST]):
        write_digest(guest)


def write_digest(guest: int) -> None:
    """Write a guest's digest if it is due, or note when it will be."""
    wanted = wanted_kinds(guest, "mail")
    with writing():
        Mailing.objects.get_or_create(guest_id=guest)
        mailing = Mailing.objects.select_for_update().get(guest=guest)
        now = clock.now()
        unmailed = Notice.objects.filter(guest=guest, read_at=None, mailed_at=None)
        if mailing.pace == "off" or not mail_address(guest):
            unmailed.update(mailed_at=now)
            return
        unmailed = _undigested(unmailed)
        told = list(unmailed.order_by("at", "pk"))
        unmailed.exclude(kind__in=wanted).update(mailed_at=now)
        chosen = [notice for notice in told if notice.kind in wanted]
        if not chosen:
            return
        is_urgent = any(notice.kind in URGENT for notice in chosen)
        moment = now if is_urgent else mail_moment(mailing, chosen[0].at)
        if moment > now:
            mailing.next_at = moment
            mailing.save(update_fields=["next_at"])
            return
        _write(mailing, chosen, now)


def _write(mailing: Mailing, chosen: list[Notice], now: float) -> None:
    """Write a digest, in the transaction that notes it."""
    mailing.written, mailing.written_at, mailing.next_at = mailing.written + 1, now, now
    mailing.save(update_fields=["written", "written_at", "next_at"])
    Notice.objects.filter(pk__in=[notice.pk for notice in chosen]).update(mailed_at=now)
    named = [[notice.pk, notice.occurrence] for notice in chosen]
    key = f"digest.{mailing.guest_id}.{mailing.written}"
    post("mail", key, {"digest": named}, guest=mailing.guest_id)


def note_refusal(guest: int | None, why: str) -> None:
    """Note that a guest's mail server will not take their mail. After some times it is mailed no more."""
    with writing():
        mailing = Mailing.objects.select_for_update().get(guest=guest)
        mailing.refusals += 1
        mailing.save(update_fields=["refusals"])
        if mailing.refusals >= MOST_REFUSALS:
            stop_mail(mailing, why, mailing.refusals)


def stop_mail(mailing: Mailing, why: str, count: int) -> None:
    """Mail no more to somebody whom no mail reaches, and tell them on the page. In a transaction."""
    mailing.pace, mailing.plays_by_mail = "off", False
    mailing.save(update_fields=["pace", "plays_by_mail"])
    data = {"label": "Mail", "count": count, "reason": why}
    notify(mailing.guest_id, "endpoint_off", f"mail.{mailing.written}", data)
