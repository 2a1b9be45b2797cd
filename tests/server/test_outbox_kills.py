"""Processes that send are killed anywhere; everything arrives, and only what was under way comes twice."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from server.kinds_of_sites import Kind
from server.ledgers import in_file, on_server
from server.services import POSTGRES
from server.test_endpoints import program

WORK = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from kakomi.server.notices import jobs, outbox
outbox.LEASE = outbox.FIRST_PAUSE = 0.5
print("ready", flush=True)
while True:
    jobs.hand_on()
    jobs.send_webhook()
"""
SEED = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from kakomi.server.accounts.models import Guest
from kakomi.server.notices import endpoints, services
for number in range(10):
    guest = Guest.objects.create()
    endpoints.add_webhook(guest, f"{sys.argv[1]}&guest={number}", "")
    for told in range(12):
        services.notify(guest, "rest_ended", str(told))
"""
AWAIT = """
import os, sys, time
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from kakomi.server.notices.models import Delivery, Notice
waiting, unsent = Notice.objects.filter(is_waiting=True), Delivery.objects.exclude(state="sent")
end = time.monotonic() + 120
while waiting.exists() or unsent.exists():
    if time.monotonic() > end:
        sys.exit("not all has been sent")
    time.sleep(0.1)
"""
TOLD = 120
WORKERS = 2
AT_ONCE = 8
"""What a process sends at the same time."""


@pytest.mark.slow
@pytest.mark.parametrize("on_postgres", [False, True], ids=["sqlite", "postgres"])
def test_what_is_sent_by_processes_that_are_killed_arrives(on_postgres: bool, tmp_path: Path) -> None:
    Kind(WORKERS, on_postgres).require_services()
    chance, kills = random.Random(1), 0
    new = on_server(POSTGRES, is_migrated=False) if on_postgres else in_file(tmp_path, is_migrated=False)
    with new as ledger, program() as (received, url):
        environment = {**os.environ, "KAKOMI_DATA_DIR": str(tmp_path), "KAKOMI_DATABASE_URL": ledger.url}

        def python(code: str, *words: str) -> None:
            done = subprocess.run(
                [sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr

        def worker() -> subprocess.Popen[str]:
            started = subprocess.Popen(
                [sys.executable, "-c", WORK], env=environment, stdout=subprocess.PIPE, text=True
            )
            assert started.stdout is not None
            started.stdout.readline()
            return started

        python(SEED, url)
        workers = [worker() for _ in range(WORKERS)]
        try:
            while kills < 6 and len(received.posts) < TOLD:
                time.sleep(chance.uniform(0.0, 0.2))
                end(workers[kills % WORKERS])
                workers[kills % WORKERS] = worker()
                kills += 1
            python(AWAIT)
        finally:
            for each in workers:
                end(each)
    arrived = Counter(headers["Kakomi-Delivery"] for headers, _ in received.posts)
    assert len(arrived) == TOLD and kills
    assert sum(arrived.values()) - TOLD <= kills * AT_ONCE


def end(worker: subprocess.Popen[str]) -> None:
    """End a process as a power cut would."""
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert worker.stdout is not None
    worker.stdout.close()
