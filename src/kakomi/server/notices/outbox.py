"""The outbox: deliveries in the database, each leased to a sender and retried until it is settled.

Any process may die at any line. Its lease then expires, and another process tries. So everything is sent at
least once, with a key by which the recipient can recognize duplicates.
"""

import logging
import random
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from kakomi.server.accounts.models import Guest
from kakomi.server.notices.models import Delivery, Endpoint
from kakomi.server.notices.services import notify
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.site import clock
from kakomi.server.site.database import writing


class SendError(Exception):
    """A delivery failed and will be retried. The message briefly says why."""


class RejectedError(SendError):
    """A delivery was rejected permanently and won't be retried."""


class GoneError(RejectedError):
    """The endpoint no longer exists and is switched off."""


LEASE = 90.0
"""The lease on a delivery in seconds; longer than any attempt takes."""
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 3600.0
"""Seconds before the second attempt; later pauses double, up to the longest."""
PATIENCE = {"mail": 4 * 24 * 3600.0, "push": 12 * 3600.0}
"""Channel -> seconds before a delivery is given up."""
MOST_FAILURES = 10
"""An endpoint is switched off after this many successive failures."""
_LOG = logging.getLogger(__name__)

Send = Callable[[Delivery], Delivery.State]
"""Sends a delivery and returns its state. Raises `SendError`."""


def enqueue(
    channel: str,
    key: str,
    content: Mapping[str, Any],
    *,
    guest: Guest | int | None = None,
    endpoint: Endpoint | None = None,
    due_at: float | None = None,
) -> bool:
    """Queue a delivery, to be sent after this transaction commits; False if the key exists already."""
    now = clock.now()
    fields = {
        "channel": channel,
        "content": dict(content),
        "guest_id": guest.pk if isinstance(guest, Guest) else guest,
        "endpoint": endpoint,
        "due_at": now if due_at is None else due_at,
        "created_at": now,
    }
    _, is_new = Delivery.objects.get_or_create(key=key, defaults=fields)
    if is_new:
        transaction.on_commit(partial(JOBS.wake, f"kakomi.server.notices.jobs.send_{channel}"))
    return is_new


def due(channel: str, now: float, without: Collection[int] = ()) -> "QuerySet[Delivery]":
    """The deliveries that are due, oldest first, except to the endpoints in `without`."""
    found = Delivery.objects.filter(channel=channel, state=Delivery.State.WAITING, due_at__lte=now)
    return (
        found.filter(Q(endpoint=None) | Q(endpoint__is_on=True, endpoint__retry_at__lte=now))
        .exclude(endpoint__in=without)
        .order_by("due_at", "pk")
    )


def claim(channel: str, without: Collection[int] = ()) -> Delivery | None:
    """Lease a due delivery to the caller for `LEASE` seconds; None if there is none."""
    if not due(channel, clock.now(), without).exists():
        return None
    with writing():
        now = clock.now()
        claimable = due(channel, now, without).select_related("endpoint")
        delivery = claimable.select_for_update(skip_locked=True, of=("self",)).first()
        if delivery:
            delivery.attempts, delivery.due_at = delivery.attempts + 1, now + LEASE
            delivery.save(update_fields=["attempts", "due_at"])
        return delivery


def attempt(delivery: Delivery, send: Send) -> None:
    """Try to send a claimed delivery, and record the outcome."""
    try:
        state = send(delivery)
    except Exception as error:
        if not isinstance(error, SendError):
            _LOG.exception("%s could not be sent", delivery)
        _note_failure(delivery, error)
    else:
        with writing():
            if _settle(delivery, state) and delivery.endpoint and state == Delivery.State.SENT:
                Endpoint.objects.filter(pk=delivery.endpoint.pk).update(
                    failures=0, retry_at=0.0, used_at=clock.now()
                )


def _settle(delivery: Delivery, state: Delivery.State, error: str = "") -> bool:
    """Set a final state; False if another process has taken the delivery over."""
    own = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    return own.update(state=state, error=error[:300], done_at=clock.now(), content=delivery.content) > 0


def _note_failure(delivery: Delivery, error: Exception) -> None:
    why = str(error) or type(error).__name__
    with writing():
        now, own = clock.now(), Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
        if not own.exists():  # another process has taken it over
            return
        if delivery.endpoint:
            _note_endpoint_failure(delivery.endpoint, why, is_gone=isinstance(error, GoneError), now=now)
        if isinstance(error, RejectedError) or now - delivery.created_at > PATIENCE[delivery.channel]:
            _LOG.warning("%s was given up: %s", delivery, why)
            _settle(delivery, Delivery.State.FAILED, why)
            return
        own.update(error=why[:300], due_at=now + pause_after(delivery.attempts))


def pause_after(attempts: int) -> float:
    """Seconds until the next attempt: exponential backoff with jitter."""
    return min(FIRST_PAUSE * 2.0 ** min(attempts - 1, 20), LONGEST_PAUSE) * random.uniform(0.75, 1.25)


def _note_endpoint_failure(endpoint: Endpoint, why: str, *, is_gone: bool, now: float) -> None:
    """Postpone deliveries to an endpoint; switch it off if it is gone or has failed too often."""
    known = Endpoint.objects.select_for_update().filter(pk=endpoint.pk, is_on=True)
    if not known.update(failures=F("failures") + 1):
        return
    endpoint.refresh_from_db()
    endpoint.retry_at = now + pause_after(endpoint.failures)
    if is_gone or endpoint.failures >= MOST_FAILURES:
        switch_off(endpoint, why)
    endpoint.save(update_fields=["retry_at"])


def switch_off(endpoint: Endpoint, why: str) -> None:
    """Switch an endpoint off, drop its deliveries, and tell its owner on the page."""
    endpoint.is_on, endpoint.off_reason = False, why[:200]
    endpoint.save(update_fields=["is_on", "off_reason"])
    endpoint.deliveries.filter(state=Delivery.State.WAITING).update(
        state=Delivery.State.DROPPED, error="the endpoint was switched off", done_at=clock.now()
    )
    data = {
        "label": endpoint.label,
        "count": endpoint.failures,
        "reason": why,
        "address": "/notices/preferences",
    }
    notify(endpoint.guest_id, "endpoint_off", f"{endpoint.pk}.{clock.now():.0f}", data)
