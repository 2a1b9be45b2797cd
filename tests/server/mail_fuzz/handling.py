"""Deliver a mail one to ten times, and check the site afterwards."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection

from kakomi.protocol.mail import parse_mail, read_mail
from kakomi.protocol.mail.commands import Confirm
from kakomi.server.mail import inbox, jobs
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.mail.reply_addresses import Purpose
from kakomi.server.notices.models import Delivery
from kakomi.server.tables import models as tables
from kakomi.server.tables import selectors
from server.mail_fuzz.answers import faults_of, faults_of_address
from server.mail_fuzz.changes import forbidden, new_entries, plays_stale
from server.mail_fuzz.mails import SentMail
from server.mail_fuzz.rights import Rights, rights_of
from server.mail_fuzz.state import State
from server.mail_fuzz.world import World


@dataclass(frozen=True)
class Before:
    """The site's state before a mail arrives."""

    state: State
    rights: Rights
    lengths: dict[int, int]
    """Table -> length of log that a sender must have seen, for the tables in the mail's tokens."""
    last_delivery: int


def before(sent: SentMail, world: World, state: State) -> Before:
    """Record the state before a mail."""
    rights = rights_of(sent.data, sent.recipient, world, state, is_whole=sent.is_whole)
    named = [token.subject for token in rights.tokens if token.purpose == Purpose.TABLE]
    lengths = {row.pk: _length(row) for row in tables.Table.objects.filter(pk__in=named)}
    last = Delivery.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return Before(state, rights, lengths, last)


def _length(row: tables.Table) -> int:
    """The shortest log length that still counts as up to date at a table."""
    table = selectors.table_of(row)
    return next((number for number in range(table.entries + 1) if table.has_seen(number)), table.entries)


def deliver(sent: SentMail, times: int, threads: int) -> None:
    """Deliver a mail `times` times, with different line endings and from several threads, and handle it."""
    ways = [_on_its_way(sent.data, number) for number in range(times)]
    if threads == 1:
        _bring(ways, sent)
        return
    failures: list[BaseException] = []

    def work(part: list[bytes]) -> None:
        try:
            _bring(part, sent)
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    started = [threading.Thread(target=work, args=(ways[number::threads],)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if failures:
        raise failures[0]


def _bring(ways: list[bytes], sent: SentMail) -> None:
    for data in ways:
        if inbox.receive(data, sender=sent.sender, recipients=[sent.recipient]):
            jobs.handle_mail()
    if len(ways) > 1:
        jobs.handle_mail()


def _on_its_way(data: bytes, number: int) -> bytes:
    """The mail as one of several servers would deliver it, with LF or CRLF line endings."""
    if number == 0:
        return data
    data = data.replace(b"\r\n", b"\n")
    if number % 2:
        data = data.replace(b"\n", b"\r\n")
    return data


def faults(sent: SentMail, world: World, known: Before, after: State) -> Iterator[str]:
    """The faults after a mail was handled, as phrases."""
    key = inbox.mail_key(sent.data)
    row = ReceivedMail.objects.filter(key=key).first()
    if row is None:
        yield "the mail was not kept"
        return
    unsettled = ReceivedMail.objects.filter(state__in=("waiting", "failed")).first()
    if unsettled:
        yield f"mail {unsettled.pk} could not be handled: {unsettled.note}"
    answers = list(Delivery.objects.filter(pk__gt=known.last_delivery, key__startswith="answer."))
    yield from _wrong_answers(sent, world, row, answers)
    entries = new_entries(known.state)
    yield from forbidden(known.state, after, known.rights, entries)
    if not _says_what_was_seen(sent):
        yield from plays_stale(entries, known.lengths, known.rights)


def _wrong_answers(sent: SentMail, world: World, row: ReceivedMail, answers: list[Delivery]) -> Iterator[str]:
    own = [answer for answer in answers if answer.key.startswith(f"answer.{row.key}")]
    if len(own) > 1 + row.is_confirmed or len(answers) > 2:
        yield f"{len(answers)} answers"
    if sent.is_silent and answers:
        yield f"an answer to a mail that nobody may answer, to {answers[0].content['to']}"
    if sent.is_silent and row.commands.exists():
        yield "commands of a machine were carried out"
    for answer in answers:
        yield from faults_of(answer.content)
        yield from faults_of_address(answer.content, world)


def _says_what_was_seen(sent: SentMail) -> bool:
    """Whether a mail's commands aren't based on its address's state: with a `#`, or a confirmation."""
    mail = read_mail(sent.data)
    return b"#" in sent.data or any(isinstance(command, Confirm) for command in parse_mail(mail).commands)
