"""What the site does again and again for notices."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from kakomi.server import clock
from kakomi.server.database import outside_requests
from kakomi.server.job_questions import works_on
from kakomi.server.notices import digests, outbox, push
from kakomi.server.notices.mail import send_mail as send_one_mail
from kakomi.server.notices.models import Delivery, Endpoint, Notice
from kakomi.server.notices.outbox import Send
from kakomi.server.notices.push import send_push as send_one_push

WORKERS = 8
"""Things that are sent at the same time by one channel. Who does not answer holds up one of them."""
KEPT_DAYS = 30
"""Days for which what was sent, and what was read, is kept."""
_DAY = 24 * 3600.0


@works_on(partial(outbox.due, "mail"))
def send_mail() -> None:
    """Send the mails that are due."""
    _send_due("mail", send_one_mail)


@works_on(partial(outbox.due, "push"))
def send_push() -> None:
    """Send to browsers what is due."""
    _send_due("push", send_one_push)


@works_on(lambda now: Notice.objects.filter(is_waiting=True))
def hand_on() -> None:
    """Make deliveries of the notices that wait for it."""
    push.hand_on()


@works_on(digests.to_be_mailed)
def write_digests() -> None:
    """Write the mails that say whose turn it still is."""
    digests.write_digests()


def _send_due(channel: str, send: Send) -> None:
    """Send all that is due, several things at a time, to each endpoint one after the other."""
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
    """Work in a thread that ends afterwards, and its connection with it."""
    try:
        outside_requests(work)()
    finally:
        connection.close()


def _settled(now: float) -> "QuerySet[Delivery]":
    return Delivery.objects.filter(done_at__lt=now - KEPT_DAYS * _DAY)


def _read(now: float) -> "QuerySet[Notice]":
    return Notice.objects.filter(read_at__lt=now - KEPT_DAYS * _DAY)


def _expired(now: float) -> "QuerySet[Endpoint]":
    """Browsers of guests without an account, whose cookies have ended; accounts have rows for that."""
    return Endpoint.objects.filter(sign_in=None, created_at__lt=now - settings.SESSION_COOKIE_AGE)


@works_on(_settled, _read, _expired)
def forget() -> None:
    """Delete what was settled or read long ago, and push to browsers that have forgotten their guest."""
    now = clock.now()
    _settled(now).delete()
    _read(now).delete()
    _expired(now).delete()
