"""The ways by which mail arrives: LMTP, a pipe, and another server's folder."""

import asyncio
import imaplib
import smtplib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.lmtp import LMTP
from django.db import InterfaceError, OperationalError, connection

from kakomi.server.mail import inbox, transports
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.mail.transports import LmtpServer, check_incoming_mail, parse_host_and_port
from kakomi.server.operations.periodic_jobs import named_jobs
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from server.correspondence import BOUNCES, PLAY, taking_mail, written

EVE = "eve@elsewhere.example"
JOBS = {f"kakomi.server.mail.jobs.{name}" for name in ("handle_mail", "write_turn_mails", "delete_old")}


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of the site's own LMTP server, whose threads close their database connections."""
    keep = transports._receive

    def keep_and_close(*what: Any) -> str:
        try:
            return keep(*what)
        finally:
            connection.close()

    monkeypatch.setattr(transports, "_receive", keep_and_close)
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    loop, server = asyncio.new_event_loop(), LmtpServer()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        with taking_mail(mail_in_lmtp=f"127.0.0.1:{number}"):
            asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
            for _ in range(200):
                if server.is_listening:
                    break
                threading.Event().wait(0.02)
            yield number
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_brings_mail(port: int) -> None:
    data = written(EVE, "help")
    with smtplib.LMTP("127.0.0.1", port, timeout=30) as server:
        assert server.sendmail(EVE, [PLAY], data) == {}
        assert server.sendmail(EVE, [PLAY], data) == {}, "received before, and so taken"
        assert server.sendmail("", [BOUNCES], written(EVE, "it came back")) == {}
    first, second = ReceivedMail.objects.order_by("pk")
    assert (first.sender, first.recipient, bytes(first.content).split()) == (EVE, PLAY, data.split())
    assert (second.sender, second.recipient) == ("<>", BOUNCES)


@pytest.mark.django_db(transaction=True)
def test_every_recipient_is_answered_and_strangers_are_refused(port: int) -> None:
    """After the data there is a reply for each accepted recipient, which smtplib doesn't read."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        stream = connection.makefile("rwb")

        def say(line: str) -> str:
            stream.write(line.encode() + b"\r\n")
            stream.flush()
            while (answer := stream.readline().decode())[3:4] == "-":
                pass
            return answer[:3]

        stream.readline()
        assert say("LHLO here") == "250" and say(f"MAIL FROM:<{EVE}>") == "250"
        recipients = (PLAY, "root@games.example", "play+x@games.example")
        assert [say(f"RCPT TO:<{to}>") for to in recipients] == ["250", "550", "250"]
        assert say("DATA") == "354"
        stream.write(written(EVE, "help").replace(b"\n", b"\r\n") + b".\r\n")
        stream.flush()
        assert [stream.readline()[:3] for _ in range(2)] == [b"250", b"250"]
        assert say("NOOP") == "250" and say("QUIT") == "221"
    assert ReceivedMail.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
def test_what_is_too_large_or_can_t_be_kept_is_not_acknowledged(
    failure: type[Exception], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> bool:
        raise failure("the database is away")

    with smtplib.LMTP("127.0.0.1", port, timeout=60) as server:
        receive = inbox.receive
        monkeypatch.setattr(inbox, "receive", away)
        with pytest.raises(smtplib.SMTPDataError) as error:
            server.sendmail(EVE, [PLAY], written(EVE, "help"))
        assert error.value.smtp_code == 451
        monkeypatch.setattr(inbox, "receive", receive)
        large = written(EVE, "some words\n" * (inbox.LARGEST // 10))
        with pytest.raises(smtplib.SMTPDataError) as error:
            server.sendmail(EVE, [PLAY], large.replace(b"\n", b"\r\n"))
        assert error.value.smtp_code == 552
    assert not ReceivedMail.objects.exists()


def test_a_process_waits_for_the_port_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "RETRY_SECONDS", 0.05)

    async def see() -> None:
        with (
            socket.create_server(("127.0.0.1", 0)) as taken,
            taking_mail(mail_in_lmtp=f"127.0.0.1:{taken.getsockname()[1]}"),
        ):
            server = LmtpServer()
            await server.start()
            await asyncio.sleep(0.2)
            assert not server.is_listening
            taken.close()
            for _ in range(200):
                if server.is_listening:
                    break
                await asyncio.sleep(0.05)
            assert server.is_listening
            await server.stop()

    asyncio.run(see())


def test_a_site_without_mail_listens_nowhere_and_does_nothing_for_it() -> None:
    async def see() -> bool:
        server = LmtpServer()
        await server.start()
        await server.stop()
        return server.is_listening

    assert not asyncio.run(see()) and not set(named_jobs()) & JOBS
    with taking_mail():
        assert set(named_jobs()) > JOBS


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mail_in_lmtp": "somewhere"}, "KAKOMI_MAIL_IN_LMTP should be a host and a port"),
        ({"mail_in_lmtp": "127.0.0.1:99999"}, "KAKOMI_MAIL_IN_LMTP should be"),
        ({"mail_in_imap": "imap://u:p@mail.example/INBOX"}, "without TLS"),
        ({"mail_in_imap": "http://mail.example"}, "KAKOMI_MAIL_IN_IMAP_URL should be"),
        ({"mail_in_imap": "imaps://u:p@mail.example:x/INBOX"}, "KAKOMI_MAIL_IN_IMAP_URL should be"),
        ({"mail_in_address": "play"}, "KAKOMI_MAIL_IN_ADDRESS should be"),
        ({"mail_in_address": "a+b@c"}, "without a \\+"),
        ({"mail_in_bounces": PLAY}, "another address"),
        (
            {"mail_in_address": "", "mail_in_bounces": "", "mail_in_lmtp": "8024"},
            "needs KAKOMI_MAIL_IN_ADDRESS",
        ),
    ],
)
def test_settings_that_can_t_be_are_named(settings: dict[str, str], message: str) -> None:
    with taking_mail(**settings), pytest.raises(ValueError, match=message):
        check_incoming_mail(configuration())


def test_settings_that_can_be_are_taken() -> None:
    with taking_mail(mail_in_lmtp="8024", mail_in_imap="imaps://me%40here:pass@mail.example/Games"):
        check_incoming_mail(configuration())
    assert parse_host_and_port("8024") == ("127.0.0.1", 8024) and parse_host_and_port("[::1]:25") == (
        "::1",
        25,
    )
    assert transports.Folder.parse("imaps://me%40here:p%2F@mail.example/Games") == transports.Folder(
        "mail.example", 993, "me@here", "p/", "Games", True
    )
    assert LMTP


class Folder:
    """A fake mail server with one folder."""

    def __init__(self, *mails: bytes, came_at: float = 1_700_000_000.0) -> None:
        self.came_at = came_at
        self.mails = [[mail, False] for mail in mails]
        self.said: list[str] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rwb") as stream:
                self._talk(stream)

    def _talk(self, stream) -> None:
        def say(text: bytes) -> None:
            stream.write(text + b"\r\n")
            stream.flush()

        say(b"* OK ready")
        for line in stream:
            tag, _, command = line.decode().strip().partition(" ")
            self.said.append(command)
            words = command.upper().split()
            if words[0] == "CAPABILITY":
                say(b"* CAPABILITY IMAP4rev1")
            elif words[0] == "LOGIN" and "secret" not in command:
                say(f"{tag} NO no".encode())
                continue
            elif words[0] == "SELECT":
                say(f"* {len(self.mails)} EXISTS".encode())
            elif words[:2] == ["UID", "SEARCH"]:
                unseen = [str(at) for at, (_, seen) in enumerate(self.mails, 1) if not seen]
                say(f"* SEARCH {' '.join(unseen)}".encode())
            elif words[:2] == ["UID", "FETCH"]:
                mail = self.mails[int(words[2]) - 1][0]
                date = imaplib.Time2Internaldate(self.came_at)
                say(f"* {words[2]} FETCH (UID {words[2]} INTERNALDATE {date} BODY[] {{{len(mail)}}}".encode())
                stream.write(mail)
                say(b")")
            elif words[:2] == ["UID", "STORE"]:
                self.mails[int(words[2]) - 1][1] = True
            say(f"{tag} OK done".encode())
            if words[0] == "LOGOUT":
                return


@pytest.mark.django_db
def test_a_folder_is_fetched_from_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(written(EVE, "help"), written(EVE, "games"))
    with taking_mail(mail_in_imap=f"imap://me:secret@127.0.0.1:{folder.port}/Games"):
        with monkeypatch.context() as patch:
            patch.setattr(
                inbox, "receive", lambda data, came_at: (_ for _ in ()).throw(OperationalError("away"))
            )
            with pytest.raises(OperationalError):
                transports.fetch()
        assert [seen for _, seen in folder.mails] == [False, False], "what is not on disk stays unseen"
        transports.fetch()
        assert ReceivedMail.objects.count() == 2 and [seen for _, seen in folder.mails] == [True, True]
        transports.fetch()
        folder.mails[0][1] = False  # as if a process had died before marking it
        transports.fetch()
    assert ReceivedMail.objects.count() == 2 and 'SELECT "Games"' in folder.said
    folder.listener.close()


@pytest.mark.django_db
@pytest.mark.parametrize(("ago", "counts"), [(3600, 3600), (-3600, 0), (30 * 86_400, inbox.LONGEST_WAIT)])
def test_a_mail_came_when_it_came_to_its_folder(ago: float, counts: float) -> None:
    now = 1_800_000_000.0
    folder = Folder(written(EVE, "help"), came_at=now - ago)
    with (
        taking_mail(mail_in_imap=f"imap://me:secret@127.0.0.1:{folder.port}/Games"),
        clock.time_from(lambda: now),
    ):
        transports.fetch()
    assert ReceivedMail.objects.get().received_at == now - counts
    folder.listener.close()


@pytest.mark.django_db
def test_a_folder_that_can_t_be_had_is_told_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    folder = Folder()
    for url in (f"imap://me:wrong@127.0.0.1:{folder.port}/INBOX", "imap://me:x@127.0.0.1:1/INBOX"):
        with taking_mail(mail_in_imap=url):
            transports.fetch()
    assert [record.exc_info for record in caplog.records] == [None, None]
    assert "wrong" not in caplog.text
    folder.listener.close()
