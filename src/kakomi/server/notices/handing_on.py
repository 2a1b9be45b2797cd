"""Notices handed on to browsers: each waits until it has become deliveries, once for every browser."""

from collections.abc import Sequence
from typing import Any

from django.utils import translation

from kakomi.server import clock
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.notices.kinds import PRESSING, TURN
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice
from kakomi.server.notices.outbox import post
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.rhythm import after_quiet
from kakomi.server.notices.turns import is_pressing
from kakomi.server.notices.wishes import wanted_kinds

MOST = 100
"""Notices in one transaction."""
PUSH_WAIT = 20.0
"""Seconds until somebody's turn is pushed: who sits at the table has acted by then."""


def hand_on() -> None:
    """Hand on whatever waits."""
    while Notice.objects.filter(is_waiting=True).exists() and _hand_some_on():
        pass


def _hand_some_on() -> int:
    """Hand some notices on; how many those were."""
    with writing():
        waiting = Notice.objects.filter(is_waiting=True).order_by("at")
        chosen = list(waiting.select_for_update(skip_locked=True, of=("self",))[:MOST])
        for notice in chosen:
            _hand_on(notice, list(Endpoint.objects.filter(guest=notice.guest_id, is_on=True)))
        Notice.objects.filter(pk__in=[notice.pk for notice in chosen]).update(is_waiting=False)
    return len(chosen)


def _hand_on(notice: Notice, endpoints: Sequence[Endpoint]) -> None:
    if not endpoints or notice.kind not in wanted_kinds(notice.guest_id, "push"):
        return
    mailing = Mailing.objects.filter(guest=notice.guest_id).first() or Mailing(guest_id=notice.guest_id)
    content = {"notice": [notice.pk, notice.occurrence]}
    due_at = after_quiet(mailing, clock.now() + (PUSH_WAIT if notice.kind == TURN else 0.0))
    for endpoint in endpoints:
        key = f"push.{endpoint.pk}.{notice.key}.{notice.occurrence}"
        post("push", key, content, guest=notice.guest_id, endpoint=endpoint, due_at=due_at)


def payload_of(delivery: Delivery) -> dict[str, Any] | None:
    """What a browser is told, as data that JSON can hold, worded when it is sent; None if what was to be told
    is no longer true. What only happened stays true."""
    if "notice" not in delivery.content:
        return dict(delivery.content["payload"])
    number, occurrence = delivery.content["notice"]
    found = Notice.objects.filter(pk=number, occurrence=occurrence, guest=delivery.guest_id, read_at=None)
    notice = found.select_related("table", "about").prefetch_related("table__seats__guest").first()
    if notice is None or (notice.kind in PRESSING and not is_pressing(notice)):
        return None
    languages = Mailing.objects.filter(guest=delivery.guest_id).values_list("language", flat=True)
    with translation.override(languages.first() or Mailing().language):
        view = NoticeView(notice)
        return {
            "kind": notice.kind,
            "text": view.words,
            "url": configuration().address + view.address,
            "table": notice.table.code if notice.table else None,
        }
