"""How mail reaches the site: fetched from another mail server's folder by IMAP, or by LMTP (RFC 2033).

LMTP is for a local mail server; never expose it to the internet.
"""

import asyncio
import contextlib
import errno
import imaplib
import importlib
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit

from asgiref.sync import sync_to_async
from django.db import Error as StorageError

from kakomi.server.mail import inbox
from kakomi.server.mail.reply_addresses import is_site_address
from kakomi.server.site.configuration import Configuration, configuration
from kakomi.server.site.database import outside_requests
from kakomi.server.site.whole_numbers import whole_number

TIMEOUT = 20.0
"""Seconds to wait for the server's response."""
MOST = 50
"""Mails fetched per run."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Folder:
    """A folder on a mail server, and how to reach it."""

    host: str
    port: int
    user: str
    password: str
    name: str
    is_encrypted: bool

    @staticmethod
    def parse(url: str) -> "Folder":
        """Parse `imaps://user:password@host/INBOX`; `imap://`, without TLS, is only for this machine.

        Raises `ValueError` with a readable message for anything else.
        """
        wrong = "KAKOMI_MAIL_IN_IMAP_URL should be imaps://user:password@host/folder"
        parts = urlsplit(url)
        try:
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise ValueError(f"{wrong}: {error}") from None
        is_encrypted = parts.scheme == "imaps"
        if parts.scheme not in ("imap", "imaps") or not host or not parts.username:
            raise ValueError(wrong)
        if not is_encrypted and host not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError(f"{wrong}: without TLS a password goes to this machine alone")
        return Folder(
            host,
            port or (993 if is_encrypted else 143),
            unquote(parts.username),
            unquote(parts.password or ""),
            unquote(parts.path.strip("/")) or "INBOX",
            is_encrypted,
        )


def fetch() -> None:
    """Fetch the unseen mails of the site's folder. Logs a warning if the server can't be reached."""
    folder = Folder.parse(configuration().mail_in_imap)
    try:
        with _opened(folder) as server:
            _fetch(server)
    except (OSError, imaplib.IMAP4.error) as error:
        _LOG.warning("mail could not be fetched from %s, it is tried again: %s", folder.host, error)


@contextlib.contextmanager
def _opened(folder: Folder) -> Iterator[imaplib.IMAP4]:
    kind = imaplib.IMAP4_SSL if folder.is_encrypted else imaplib.IMAP4
    with kind(folder.host, folder.port, timeout=TIMEOUT) as server:
        server.login(folder.user, folder.password)
        status, response = server.select(f'"{folder.name}"')
        if status != "OK":
            raise imaplib.IMAP4.error(f"there is no folder {folder.name}: {response!r}")
        yield server


def _fetch(server: imaplib.IMAP4) -> None:
    _, found = server.uid("SEARCH", "UNSEEN")
    for uid in (found[0] or b"").split()[:MOST]:
        if (mail := _mail(server, uid.decode())) is None:
            continue
        data, came_at = mail
        try:
            inbox.receive(data, came_at=came_at)
        except ValueError as error:
            _LOG.warning("a mail was left in the folder: %s", error)
        server.uid("STORE", uid.decode(), "+FLAGS", r"(\Seen)")


def _mail(server: imaplib.IMAP4, uid: str) -> tuple[bytes, float | None] | None:
    """A mail's content and time of arrival, without marking it as seen; None if it is gone."""
    _, answer = server.uid("FETCH", uid, "(INTERNALDATE BODY.PEEK[])")
    parts = [part for part in answer if isinstance(part, tuple)]
    if not parts:
        return None
    response = b" ".join(part if isinstance(part, bytes) else bytes(part[0]) for part in answer if part)
    came = imaplib.Internaldate2tuple(response)
    return bytes(parts[0][1]), time.mktime(came) if came else None


RETRY_SECONDS = 5.0
"""Seconds between attempts to open the port while another process has it."""
MOST_BYTES = 16 << 20
"""Bytes that the server reads; a mail between `inbox.LARGEST` and this gets a proper refusal."""


def parse_host_and_port(text: str) -> tuple[str, int]:
    """Parse `127.0.0.1:8024`, or `8024` for this machine. Raises `ValueError` with a readable message."""
    host, _, digits = text.rpartition(":")
    port = whole_number(digits) or 0
    if not 0 < port < 65536:
        raise ValueError(
            f"KAKOMI_MAIL_IN_LMTP should be a host and a port such as 127.0.0.1:8024, not {text[:60]!r}"
        )
    return host.strip("[]") or "127.0.0.1", port


class Handler:
    """The handler that aiosmtpd calls."""

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        """Accept only the site's addresses."""
        if not is_site_address(address):
            return "550 5.1.1 there is no such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Store a mail, and reply once per recipient, as LMTP requires."""
        sender = envelope.mail_from or inbox.NULL_SENDER
        status = await sync_to_async(_receive, thread_sensitive=False)(
            envelope.content, sender, list(envelope.rcpt_tos)
        )
        return "\r\n".join([status] * len(envelope.rcpt_tos))


@outside_requests
def _receive(data: bytes, sender: str, recipients: list[str]) -> str:
    try:
        inbox.receive(data, sender=sender, recipients=recipients)
    except ValueError as error:
        return f"552 5.3.4 {error}"
    except StorageError:  # the base class, because a broken connection raises no DatabaseError
        _LOG.warning("a mail could not be kept now: the mail server tries again", exc_info=True)
        return "451 4.3.0 it can't be kept now, try again later"
    return "250 2.0.0 kept"


class LmtpServer:
    """A process's LMTP server. Of all processes, one has the port."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Start listening, if LMTP is configured."""
        if configuration().mail_in_lmtp:
            self._task = asyncio.create_task(self._listen(*parse_host_and_port(configuration().mail_in_lmtp)))

    async def stop(self) -> None:
        """Stop listening."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._server:
            self._server.close()

    @property
    def is_listening(self) -> bool:
        """Whether this process has the port."""
        return self._server is not None

    async def _listen(self, host: str, port: int) -> None:
        from aiosmtpd.lmtp import LMTP

        loop = asyncio.get_running_loop()
        make = partial(
            LMTP, Handler(), data_size_limit=MOST_BYTES, enable_SMTPUTF8=True, hostname="kakomi", loop=loop
        )
        is_told = False
        while self._server is None:
            try:
                self._server = await loop.create_server(make, host, port)
            except OSError as error:
                if error.errno != errno.EADDRINUSE and not is_told:
                    _LOG.error("mail can't be taken at %s, port %s: %s", host, port, error)
                    is_told = True
                await asyncio.sleep(RETRY_SECONDS)


def check_incoming_mail(site: Configuration) -> None:
    """Raise `ValueError` with a readable message for wrong settings, or `ModuleNotFoundError`."""
    addresses = {
        "KAKOMI_MAIL_IN_ADDRESS": site.mail_in_address,
        "KAKOMI_MAIL_IN_BOUNCES": site.mail_in_bounces,
    }
    for name, address in addresses.items():
        local, _, host = address.rpartition("@")
        if address and (not local or not host or "+" in local or len(address) > 200):
            raise ValueError(f"{name} should be an address without a +, such as play@games.example.org")
    if site.mail_in_address and site.mail_in_address.lower() == site.mail_in_bounces.lower():
        raise ValueError("KAKOMI_MAIL_IN_BOUNCES should be another address than KAKOMI_MAIL_IN_ADDRESS")
    ways = {"KAKOMI_MAIL_IN_LMTP": site.mail_in_lmtp, "KAKOMI_MAIL_IN_IMAP_URL": site.mail_in_imap}
    for name, way in ways.items():
        if way and not site.mail_in_address:
            raise ValueError(f"{name} needs KAKOMI_MAIL_IN_ADDRESS: the address that takes commands")
    if site.mail_in_lmtp:
        parse_host_and_port(site.mail_in_lmtp)
        importlib.import_module("aiosmtpd")
    if site.mail_in_imap:
        Folder.parse(site.mail_in_imap)
