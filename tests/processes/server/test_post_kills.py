"""A process that handles mails may die at any line: each mail is handled and answered once."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from kakomi import catalog
from kakomi.server.mail import answers, inbox, jobs, mail_handler
from kakomi.server.mail.models import HandledCommand, ReceivedMail
from kakomi.server.mail.reply_addresses import Purpose, Token, reply_address
from kakomi.server.notices.models import Delivery
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import Sitter
from server.correspondence import PLAY, Postman, begun, correspondent, now, taking_mail, written
from server.forks import forks
from server.kinds_of_sites import Kind
from server.ledgers import Ledger, in_file, on_server
from server.services import POSTGRES
from server.sites import PATIENCE
from waiting import until


class Killed(BaseException):
    """Simulates the death of the process."""


@contextmanager
def killed_at(number: int) -> Iterator[list[int]]:
    """Die before a database statement, counted from 0."""
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


MAILS = 60
WORKERS = 2
LEASE = 0.5
"""Seconds until a mail is retried after its worker died."""
IDLE = 0.01
"""Seconds that an idle worker sleeps, so that it doesn't slow down the others."""
MOST_BETWEEN = 6
"""The limit on mails handled between two kills, which are timed by work done and not by the clock."""


def prepare() -> None:
    """Load the code for playing, which takes longer than handling a mail."""
    catalog.game("rin", size=4).start().play("1,1").text()


def seed(mails: int) -> None:
    """Start tables, and deliver a mail with a move and two queries to each, three times."""
    people = [correspondent(name) for name in ("ada", "bob")]
    for _ in range(mails):
        row = begun(*map(Sitter, people), game="rin", options={"size": 4})
        to = reply_address(Token.new(Purpose.TABLE, people[0].pk, row.pk, 0))
        data = written("ada@people.example", "1,1\ngames\nshow", to=to)
        for _ in range(3):
            inbox.receive(data, recipients=[to])


def work() -> None:
    """Handle mails forever."""
    inbox.LEASE = LEASE
    answers.TO_PEOPLE = 100_000
    while True:
        jobs.handle_mail()
        time.sleep(IDLE)


def seen() -> list[int]:
    """The number of unhandled mails, the lengths of the tables' logs, and the number of answers."""
    entries = Table.objects.order_by("entries").values_list("entries", flat=True).distinct()
    undone, sent = (
        ReceivedMail.objects.exclude(state="done"),
        Delivery.objects.filter(key__startswith="answer."),
    )
    return [undone.count(), *entries, sent.count()]


def await_work(ledger: Ledger, most: int) -> int:
    """Wait until at most `most` mails are left, and return their number."""
    until(lambda: ledger.waiting_mails() <= max(most, 0), f"that {most} mails are left", PATIENCE)
    return ledger.waiting_mails()


@pytest.mark.parametrize("on_postgres", [False, True], ids=["sqlite", "postgres"])
def test_mails_are_handled_once_by_processes_that_are_killed(on_postgres: bool, tmp_path: Path) -> None:
    Kind(WORKERS, on_postgres).require_services()
    chance, kills = random.Random(1), 0
    with on_server(POSTGRES) if on_postgres else in_file(tmp_path) as ledger:
        environment = {
            "KAKOMI_DATA_DIR": str(tmp_path),
            "KAKOMI_DATABASE_URL": ledger.url,
            "KAKOMI_MAIL_IN_ADDRESS": PLAY,
        }
        with forks("processes.server.test_post_kills", environment) as site:
            site.run("seed", MAILS)
            workers = [site.start("work") for _ in range(WORKERS)]
            left = MAILS
            while left or kills % 3:
                left = await_work(ledger, left - chance.randrange(MOST_BETWEEN))
                time.sleep(chance.uniform(0.0, 0.03))
                site.kill(workers.pop(0))
                kills += 1
                workers.append(site.start("work"))
            assert site.run("seen") == [0, 1, MAILS] and kills > 2
