"""Whoever handles mails may die at any line: each is done once, and answered once."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from kakomi.server.notices.models import Delivery
from kakomi.server.post import inbox, mail_handler
from kakomi.server.post.models import HandledCommand, ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, Token, reply_address
from kakomi.server.tables.services import Sitter
from server.correspondence import Postman, begun, correspondent, now, taking_mail, written
from server.kinds_of_sites import Kind
from server.ledgers import in_file, on_server
from server.services import POSTGRES


class Killed(BaseException):
    """The process is gone."""


@contextmanager
def killed_at(number: int) -> Iterator[list[int]]:
    """Die before a statement to the database, counted from 0."""
    count = [0]

    def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        count[0] += 1
        if count[0] == number + 1:
            raise Killed
        return run(sql, params, many, context)

    with connection.execute_wrapper(execute):
        yield count


@pytest.mark.django_db(transaction=True)
def test_a_mail_of_several_commands_is_done_once_wherever_one_dies() -> None:
    with taking_mail(), Postman().at_work() as postman:
        people = [correspondent(name) for name in ("ada", "bob")]
        answers = Delivery.objects.filter(key__startswith="answer.")
        deaths, is_done = 0, False
        while not is_done:
            Delivery.objects.all().delete()
            ReceivedMail.objects.all().delete()
            row = begun(*map(Sitter, people), game="rin", options={"size": 4})
            to = reply_address(Token.new(Purpose.TABLE, people[0].pk, row.pk, 0))
            inbox.receive(written("ada@people.example", "1,1\ngames\nhelp", to=to), recipients=[to])
            with killed_at(deaths):
                try:
                    taken = inbox.claim()
                    assert taken
                    mail_handler.handle(taken)
                    is_done = True
                except Killed:
                    deaths += 1
            if not is_done:
                postman.wait(inbox.LEASE + 1)
                if again := inbox.claim():
                    mail_handler.handle(again)
            assert now(row).entries == 1, f"died at statement {deaths}"
            assert answers.count() == 1 and ReceivedMail.objects.get().state == "done"
            assert HandledCommand.objects.count() == 3
            row.delete()
        assert deaths > 20


SEED = """
import os, sys, random
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from server.correspondence import correspondent, written
from kakomi import catalog
from kakomi.session import MatchConfig, TimeControl
from kakomi.server.post import inbox
from kakomi.server.post.reply_addresses import Purpose, Token, reply_address
from kakomi.server.tables import services
from kakomi.server.post.reply_addresses import Purpose, Token, reply_address
from kakomi.server.tables.services import Sitter
people = [correspondent(name) for name in ("ada", "bob")]
terms = MatchConfig(catalog.game("rin", size=4))
for number in range(int(sys.argv[1])):
    row = services.begin(terms, [Sitter(guest) for guest in people], TimeControl(3 * 86400.0, kind="days"))
    to = reply_address(Token.new(Purpose.TABLE, people[0].pk, row.pk, 0))
    data = written("ada@people.example", "1,1\\ngames\\nshow", to=to)
    for _ in range(3):
        inbox.receive(data, recipients=[to])
"""
WORK = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from kakomi.server.post import budget, inbox, jobs
inbox.LEASE = 0.5
budget.TO_PEOPLE = 100_000
print("ready", flush=True)
while True:
    jobs.handle_mail()
"""
SEE = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from kakomi.server.notices.models import Delivery
from kakomi.server.post.models import ReceivedMail
from kakomi.server.tables.models import Table
print(ReceivedMail.objects.filter(state="waiting").count(),
      ReceivedMail.objects.exclude(state="done").count(),
      *Table.objects.order_by("entries").values_list("entries", flat=True).distinct(),
      Delivery.objects.filter(key__startswith="answer.").count())
"""
MAILS = 150


@pytest.mark.slow
@pytest.mark.parametrize("on_postgres", [False, True], ids=["sqlite", "postgres"])
def test_mails_are_handled_once_by_processes_that_are_killed(on_postgres: bool, tmp_path: Path) -> None:
    Kind(2, on_postgres).require_services()
    chance, kills = random.Random(1), 0
    new = on_server(POSTGRES, is_migrated=False) if on_postgres else in_file(tmp_path, is_migrated=False)
    with new as ledger:
        environment = {
            **os.environ,
            "KAKOMI_DATA_DIR": str(tmp_path),
            "KAKOMI_DATABASE_URL": ledger.url,
            "KAKOMI_POST_ADDRESS": "play@games.example",
            "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
        }

        def python(code: str, *words: str) -> str:
            done = subprocess.run(
                [sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
            return done.stdout

        def worker() -> subprocess.Popen[str]:
            started = subprocess.Popen(
                [sys.executable, "-c", WORK], env=environment, stdout=subprocess.PIPE, text=True
            )
            assert started.stdout is not None
            started.stdout.readline()
            return started

        python(SEED, str(MAILS))
        workers = [worker() for _ in range(2)]
        try:
            end = time.monotonic() + 300
            while kills % 3 or python(SEE).split()[0] != "0":
                assert time.monotonic() < end
                time.sleep(chance.uniform(0.0, 0.3))
                end_it(workers.pop(0))
                kills += 1
                workers.append(worker())
        finally:
            for each in workers:
                end_it(each)
        assert python(SEE).split() == ["0", "0", "1", str(MAILS)] and kills > 2


def end_it(process: subprocess.Popen[str]) -> None:
    """End a process as a power cut would."""
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
