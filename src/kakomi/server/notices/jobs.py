"""The periodic jobs for notices."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from kakomi.server.notices import digests, outbox, push
from kakomi.server.notices.mail import send_mail as send_one_mail
from kakomi.server.notices.models import Delivery, Endpoint, Notice
from kakomi.server.notices.outbox import Send
from kakomi.server.notices.push import send_push as send_one_push
from kakomi.server.site import clock
from kakomi.server.site.database import outside_requests
from kakomi.server.site.jobs import has_work_in

WORKERS = 8
"""Concurrent deliveries per channel. A recipient that doesn't respond blocks one of them."""
KEPT_DAYS = 30
"""Days for which settled deliveries and read notices are kept."""
_DAY = 24 * 3600.0


@has_work_in(partial(outbox.due, "mail"))
def send_mail() -> None:
    """Send the mails that are due."""
    _send_due("mail", send_one_mail)


@has_work_in(partial(outbox.due, "push"))
def send_push() -> None:
    """Send the push messages that are due."""
    _send_due("push", send_one_push)


@has_work_in(lambda now: Notice.objects.filter(needs_push=True))
def create_push_deliveries() -> None:
    """Create push deliveries from waiting notices."""
    push.create_push_deliveries()


@has_work_in(digests.to_be_mailed)
def write_digests() -> None:
    """Queue the digests that are due."""
    digests.write_digests()


def _send_due(channel: str, send: Send) -> None:
    """Send everything due on a channel concurrently, but to each endpoint one at a time."""
    busy, lock = set[int](), Lock()

    def work() -> None:
        while True:
            with lock:
                delivery = outbox.claim(channel, tuple(busy))
                if delivery is None:
                    return
                if delivery.endpoint_id:
                    busy.add(delivery.endpoint_id)
            try:
                outbox.attempt(delivery, send)
            finally:
                if delivery.endpoint_id:
                    busy.discard(delivery.endpoint_id)

    workers = min(outbox.due(channel, clock.now())[:WORKERS].count(), WORKERS)
    if not workers:
        return
    if workers == 1:
        work()
        return
    with ThreadPoolExecutor(workers, thread_name_prefix=f"send-{channel}") as pool:
        for worker in [pool.submit(_in_thread, work) for _ in range(workers)]:
            worker.result()


def _in_thread(work: Callable[[], None]) -> None:
    """Run in a short-lived thread, and close its database connection afterwards."""
    try:
        outside_requests(work)()
    finally:
        connection.close()


def _settled(now: float) -> "QuerySet[Delivery]":
    return Delivery.objects.filter(done_at__lt=now - KEPT_DAYS * _DAY)


def _read(now: float) -> "QuerySet[Notice]":
    return Notice.objects.filter(read_at__lt=now - KEPT_DAYS * _DAY)


def _expired(now: float) -> "QuerySet[Endpoint]":
    """Browsers of guests whose cookies have expired. With an account, deleting the sign-in deletes them."""
    return Endpoint.objects.filter(sign_in=None, created_at__lt=now - settings.SESSION_COOKIE_AGE)


@has_work_in(_settled, _read, _expired)
def delete_old() -> None:
    """Delete deliveries settled and notices read long ago, and endpoints whose cookies have expired."""
    now = clock.now()
    _settled(now).delete()
    _read(now).delete()
    _expired(now).delete()
