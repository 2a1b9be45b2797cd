"""Sending processes are killed at any point: everything arrives, and only deliveries in progress arrive
twice."""

import json
import random
import time
from collections import Counter
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

from kakomi.server.accounts.models import Guest
from kakomi.server.notices import jobs, outbox, push, services
from kakomi.server.notices.models import Delivery, Notice
from server.forks import forks
from server.kinds_of_sites import Kind
from server.ledgers import in_file, on_server
from server.posted import program
from server.push_agent import UserAgent
from server.services import POSTGRES
from waiting import until

GUESTS = 10
TOLD = 120
WORKERS = 2
AT_ONCE = 8
"""The number of deliveries that a process sends at a time."""
PAUSE = 0.5
"""Seconds until a delivery is retried after a worker's death or a failure."""
IDLE = 0.02
"""Seconds that an idle worker sleeps, so that it doesn't slow down the others."""


def browser(number: int) -> UserAgent:
    """The browser of a guest; deterministic, so that all processes agree."""
    return UserAgent(derive_private_key(number + 1, SECP256R1()))


def seed(url: str) -> None:
    """Create guests with a browser each, and notices for them."""
    for number in range(GUESTS):
        guest = Guest.objects.create()
        keys = browser(number).keys
        push.add_browser(guest, f"{url}&guest={number}", keys["p256dh"], keys["auth"], "")
        for told in range(TOLD // GUESTS):
            said = {"label": f"{number}.{told}", "count": 1, "reason": "", "address": "/notices/preferences"}
            services.notify(guest, "endpoint_off", f"{number}.{told}", said)


def work() -> None:
    """Send deliveries forever."""
    outbox.LEASE = outbox.FIRST_PAUSE = PAUSE
    while True:
        jobs.create_push_deliveries()
        jobs.send_push()
        time.sleep(IDLE)


def await_sent() -> None:
    """Wait until everything has been sent."""
    waiting, unsent = Notice.objects.filter(needs_push=True), Delivery.objects.exclude(state="sent")
    until(lambda: not (waiting.exists() or unsent.exists()), "the end of what is sent", 120)


@pytest.mark.parametrize("on_postgres", [False, True], ids=["sqlite", "postgres"])
def test_what_is_sent_by_processes_that_are_killed_arrives(on_postgres: bool, tmp_path: Path) -> None:
    Kind(WORKERS, on_postgres).require_services()
    chance, kills = random.Random(1), 0
    with on_server(POSTGRES) if on_postgres else in_file(tmp_path) as ledger, program() as (received, url):
        environment = {"KAKOMI_DATA_DIR": str(tmp_path), "KAKOMI_DATABASE_URL": ledger.url}
        with forks("processes.server.test_outbox_kills", environment) as site:
            site.run("seed", url)
            workers = [site.start("work") for _ in range(WORKERS)]
            while kills < 6 and len(received.posts) < TOLD:
                time.sleep(chance.uniform(0.0, 0.2))
                site.kill(workers[kills % WORKERS])
                workers[kills % WORKERS] = site.start("work")
                kills += 1
            site.run("await_sent")
    posted = zip(received.paths, received.posts, strict=True)
    arrived = Counter(
        json.loads(browser(int(path.rpartition("=")[2])).read(body))["text"] for path, (_, body) in posted
    )
    assert len(arrived) == TOLD and kills
    assert arrived.total() - TOLD <= kills * AT_ONCE
