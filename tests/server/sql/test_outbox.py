"""The outbox: messages are sent after commit, retried until accepted, and not duplicated if avoidable."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from django.core.mail import EmailMultiAlternatives, send_mail
from django.db import connection, transaction

from kakomi.cli import site
from kakomi.server.accounts.models import Guest
from kakomi.server.notices import jobs, mail, outbox
from kakomi.server.notices.mail import mail_transport
from kakomi.server.notices.models import Delivery, Endpoint, Notice
from kakomi.server.notices.outbox import GoneError, RejectedError, SendError
from kakomi.server.site import clock
from server.mail_sink import Sink, use_mail_server

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _mail_goes_its_usual_way(settings: Any) -> None:
    """Use the outbox instead of pytest-django's mail backend, which keeps mails in memory."""
    settings.EMAIL_BACKEND = "kakomi.server.notices.mail.OutboxBackend"


@pytest.fixture
def later() -> Iterator[Callable[[float], None]]:
    """A function that lets time pass."""
    passed = [time.time()]

    def wait(seconds: float) -> None:
        passed[0] += seconds

    with clock.time_from(lambda: passed[0]):
        yield wait


def endpoint(guest: Guest | None = None, name: str = "x") -> Endpoint:
    guest = guest or Guest.objects.create()
    return guest.endpoints.create(address=f"https://{name}.example/", label=name)


def deliver(send: outbox.Send, channel: str = "push") -> None:
    jobs._send_due(channel, send)


def test_django_s_mail_goes_through_the_outbox(sink: Sink):
    message = EmailMultiAlternatives("Hello", "Plain", "Site <site@example.org>", ["ada@example.org"])
    message.attach_alternative("<p>Not plain</p>", "text/html")
    message.send()
    assert not sink.mails
    jobs.send_mail()
    (mail,) = sink.mails
    assert (mail["To"], mail["Subject"], mail["From"]) == (
        "ada@example.org",
        "Hello",
        "Site <site@example.org>",
    )
    assert "Not plain" in mail.as_string() and mail["Message-ID"]
    jobs.send_mail()
    assert len(sink.mails) == 1
    assert Delivery.objects.get().content == {"to": "ada@example.org", "subject": "Hello"}, (
        "links let people in"
    )


def test_what_is_undone_is_not_mailed():
    with transaction.atomic():
        send_mail("Hello", "Plain", None, ["ada@example.org"])
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()


def test_a_server_that_is_busy_is_asked_again_by_the_same_name(sink: Sink, later: Callable[[float], None]):
    sink.answers = ["451 later", "250 taken"]
    send_mail("Hello", "Plain", None, ["ada@example.org"])
    jobs.send_mail()
    delivery = Delivery.objects.get()
    assert delivery.state == "waiting" and "451" in delivery.error and not sink.mails
    jobs.send_mail()
    assert Delivery.objects.get().attempts == 1, "not at once"
    later(60)
    jobs.send_mail()
    assert [mail["Message-ID"] for mail in sink.mails] == [mail.message_id(delivery.key)]
    assert Delivery.objects.get().state == "sent"


def test_who_is_refused_for_good_is_not_asked_again(sink: Sink, later: Callable[[float], None]):
    sink.answers = ["550 nobody here"]
    send_mail("Hello", "Plain", None, ["ada@example.org"])
    jobs.send_mail()
    later(10_000)
    jobs.send_mail()
    assert Delivery.objects.get().state == "failed" and not sink.mails


def test_a_server_that_is_away_loses_nothing(monkeypatch: pytest.MonkeyPatch, later: Callable[[float], None]):
    use_mail_server(monkeypatch, "smtp://127.0.0.1:1")
    send_mail("Hello", "Plain", None, ["ada@example.org"])
    for _ in range(30):
        jobs.send_mail()
        later(5000)
    delivery = Delivery.objects.get()
    assert delivery.state == "waiting" and delivery.attempts == 30


def test_without_a_server_mail_is_kept_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    use_mail_server(monkeypatch, "")
    send_mail("Hello", "Plain", None, ["ada@example.org"])
    jobs.send_mail()
    kept = Delivery.objects.get()
    assert kept.state == "kept" and kept.content["text"] == "Plain"
    assert "this would have been sent to ada@example.org: Hello" in caplog.text


@pytest.mark.parametrize("url", ["ada@example.org", "smtp://", "http://x", "smtp://x:port", "file:"])
def test_a_mail_server_that_is_none_is_refused_in_a_sentence(url: str):
    with pytest.raises(ValueError, match="KAKOMI_MAIL_URL"):
        mail_transport(url)


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://u:p%40@mail.example", 587, True, False),
        ("smtps://u:p@mail.example", 465, False, True),
        ("smtp://localhost", 25, False, False),
        ("smtp://mail.example:2525?tls=no", 2525, False, False),
    ],
)
def test_a_password_goes_by_tls(url: str, port: int, tls: bool, ssl: bool):
    transport: Any = mail_transport(url)
    assert (transport.port, transport.use_tls, transport.use_ssl) == (port, tls, ssl)


def test_the_same_key_is_one_delivery():
    assert outbox.enqueue("push", "k", {}, endpoint=endpoint())
    assert not outbox.enqueue("push", "k", {})


def test_who_dies_while_sending_is_followed_by_another(later: Callable[[float], None]):
    outbox.enqueue("push", "k", {}, endpoint=endpoint())
    assert outbox.claim("push")
    assert outbox.claim("push") is None, "somebody is at it"
    later(outbox.LEASE + 1)
    second = outbox.claim("push")
    assert second and second.attempts == 2


def test_who_comes_back_too_late_changes_nothing(later: Callable[[float], None]):
    outbox.enqueue("push", "k", {}, endpoint=endpoint())
    first = outbox.claim("push")
    later(outbox.LEASE + 1)
    second = outbox.claim("push")
    assert first and second

    def fail(_: Delivery) -> Delivery.State:
        raise RejectedError("no")

    outbox.attempt(second, lambda _: Delivery.State.SENT)
    outbox.attempt(first, fail)
    assert Delivery.objects.get().state == "sent"


def test_a_late_failure_does_not_count_against_the_endpoint(later: Callable[[float], None]):
    own = endpoint()
    outbox.enqueue("push", "k", {}, endpoint=own)
    first = outbox.claim("push")
    later(outbox.LEASE + 1)
    assert first and outbox.claim("push")

    def fail(_: Delivery) -> Delivery.State:
        raise SendError("no")

    outbox.attempt(first, fail)
    own.refresh_from_db()
    assert own.failures == 0 and not own.retry_at


def test_a_dead_endpoint_is_left_alone_and_switched_off_and_its_owner_told(later: Callable[[float], None]):
    dead, alive = endpoint(name="dead"), endpoint(name="alive")
    tried = []

    def send(delivery: Delivery) -> Delivery.State:
        tried.append(delivery.endpoint_id)
        if delivery.endpoint_id == dead.pk:
            raise SendError("nobody answers")
        return Delivery.State.SENT

    for number in range(30):
        outbox.enqueue("push", f"d{number}", {}, endpoint=dead)
    outbox.enqueue("push", "a", {}, endpoint=alive)
    for _ in range(30):
        while delivery := outbox.claim("push"):
            outbox.attempt(delivery, send)
        later(4600)
    assert tried.count(dead.pk) == outbox.MOST_FAILURES and tried.count(alive.pk) == 1
    dead.refresh_from_db()
    assert not dead.is_on and dead.off_reason == "nobody answers"
    notice = Notice.objects.get()
    assert (notice.guest_id, notice.kind) == (dead.guest_id, "endpoint_off")
    assert not outbox.due("push", clock.now() + 10**6)


def test_an_endpoint_that_is_gone_is_switched_off_at_once():
    gone = endpoint()
    outbox.enqueue("push", "k", {}, endpoint=gone)

    def send(_: Delivery) -> Delivery.State:
        raise GoneError("410")

    deliver(send)
    gone.refresh_from_db()
    assert not gone.is_on and Delivery.objects.get().state == "failed"


def needs_threads() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("the tests' SQLite lies in memory, where threads lock each other out")


@pytest.mark.django_db(transaction=True)
def test_an_endpoint_that_hangs_holds_up_no_other():
    needs_threads()
    slow, others = endpoint(name="slow"), [endpoint(name=f"n{number}") for number in range(3)]
    for number in range(3):
        outbox.enqueue("push", f"s{number}", {}, endpoint=slow)
    for other in others:
        outbox.enqueue("push", f"o{other.pk}", {}, endpoint=other)
    arrived, done = [], threading.Event()

    def send(delivery: Delivery) -> Delivery.State:
        if delivery.endpoint_id == slow.pk:
            assert done.wait(30), "the others wait for it"
            raise SendError("too slow")
        arrived.append(delivery.endpoint_id)
        if len(arrived) == len(others):
            done.set()
        return Delivery.State.SENT

    deliver(send)
    assert sorted(arrived) == [other.pk for other in others]
    assert sum(Delivery.objects.filter(endpoint=slow).values_list("attempts", flat=True)) == 1


@pytest.mark.django_db(transaction=True)
def test_several_processes_send_everything_once():
    needs_threads()
    for number in range(40):
        outbox.enqueue("push", f"k{number}", {}, endpoint=endpoint(name=f"n{number}"))
    sent: list[str] = []

    def send(delivery: Delivery) -> Delivery.State:
        sent.append(delivery.key)
        return Delivery.State.SENT

    threads = [threading.Thread(target=jobs._in_thread, args=[lambda: deliver(send)]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sent) == sorted(f"k{number}" for number in range(40))


def test_what_is_long_over_is_forgotten(later: Callable[[float], None]):
    outbox.enqueue("push", "old", {}, endpoint=endpoint())
    deliver(lambda _: Delivery.State.SENT)
    outbox.enqueue("push", "waits", {}, endpoint=endpoint(name="y"))
    later(40 * 24 * 3600)
    jobs.delete_old()
    assert Delivery.objects.get().key == "waits"


def test_kept_mails_are_read_in_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(site, "opened_site", lambda prepare: contextlib.nullcontext())

    def said(*words: str, expect: int = 0) -> str:
        result = CliRunner().invoke(site.mails, words)
        assert result.exit_code == expect, result.output
        return result.output

    assert said() == "No emails yet.\n"
    send_mail("Hello", "Plain", None, ["ada@example.org"])
    number = Delivery.objects.get().pk
    assert f"{number}: " in said() and "waiting, ada@example.org Hello" in said()
    assert said(str(number)).endswith("To: ada@example.org\nSubject: Hello\n\nPlain\n")
    assert json.loads(said("--json"))[0]["text"] == "Plain"
    assert "there is no email 9999" in said("9999", expect=1)
