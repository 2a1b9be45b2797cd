"""Mails that say what somebody was told, and whose turn it still is: written in time, and never twice.

A digest names notices. Which of them are still true is looked up once more when it is sent.
"""

from django.db.models import Min, Q, QuerySet

from kakomi.server import clock
from kakomi.server.database import writing
from kakomi.server.notices.addresses import MAILABLE, mail_address
from kakomi.server.notices.kinds import URGENT
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


def to_be_mailed(now: float) -> "QuerySet[Notice]":
    """The notices for which it is time that somebody looks whether they are mailed."""
    unread = Notice.objects.filter(MAILABLE, read_at=None, mailed_at=None)
    is_time = Q(guest__mailing=None) | Q(guest__mailing__next_at__lte=now)
    return unread.filter(Q(is_time, at__lte=now - LEAST_WAIT) | Q(kind__in=URGENT))


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
        told = list(unmailed.order_by("at", "pk"))
        if mailing.pace == "off" or not mail_address(guest):
            unmailed.update(mailed_at=now)
            return
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
        if mailing.refusals >= MOST_REFUSALS:
            mailing.pace = "off"
            data = {"label": "Mail", "count": mailing.refusals, "reason": why}
            notify(mailing.guest_id, "endpoint_off", f"mail.{mailing.written}", data)
        mailing.save(update_fields=["refusals", "pace"])
