"""How mail reaches the site: from a folder of another mail server (IMAP), or by LMTP (RFC 2033).

LMTP is for a mail server beside the site; it is never open to the internet.
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

from kakomi.server.configuration import Configuration, configuration
from kakomi.server.database import outside_requests
from kakomi.server.post import inbox
from kakomi.server.post.reply_addresses import is_site_address
from kakomi.server.whole_numbers import whole_number

TIMEOUT = 20.0
"""Seconds that the server may take for an answer."""
MOST = 50
"""Mails that are fetched at a time."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Folder:
    """A folder of a mail server."""

    host: str
    port: int
    user: str
    password: str
    name: str
    is_encrypted: bool

    @staticmethod
    def parse(url: str) -> "Folder":
        """The folder of `imaps://user:password@host/INBOX`; `imap://` is without TLS, for this machine alone.

        Raises ValueError, in a sentence, for anything else.
        """
        wrong = "KAKOMI_POST_IMAP_URL should be imaps://user:password@host/folder"
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
    """Fetch the mails of the site's folder that nobody has seen. A server that is away is told in a line."""
    folder = Folder.parse(configuration().post_imap)
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
        status, said = server.select(f'"{folder.name}"')
        if status != "OK":
            raise imaplib.IMAP4.error(f"there is no folder {folder.name}: {said!r}")
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
    """A mail's content and when it came, as the server tells; it doesn't become seen by that.

    None if the mail has gone meanwhile.
    """
    _, answer = server.uid("FETCH", uid, "(INTERNALDATE BODY.PEEK[])")
    parts = [part for part in answer if isinstance(part, tuple)]
    if not parts:
        return None
    said = b" ".join(part if isinstance(part, bytes) else bytes(part[0]) for part in answer if part)
    came = imaplib.Internaldate2tuple(said)
    return bytes(parts[0][1]), time.mktime(came) if came else None


AGAIN_SECONDS = 5.0
"""Seconds until a process tries again to get the port that another one has: it may end."""
MOST_BYTES = 16 << 20
"""Bytes that are read at all; what is larger than `inbox.LARGEST` is refused in order."""


def parse_place(text: str) -> tuple[str, int]:
    """Where mail is taken: `127.0.0.1:8024`, or a port of this machine. Raises ValueError, in a sentence."""
    host, _, digits = text.rpartition(":")
    port = whole_number(digits) or 0
    if not 0 < port < 65536:
        raise ValueError(
            f"KAKOMI_POST_LMTP should be a host and a port such as 127.0.0.1:8024, not {text[:60]!r}"
        )
    return host.strip("[]") or "127.0.0.1", port


class Handler:
    """What aiosmtpd calls."""

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        """Take addresses of the site alone."""
        if not is_site_address(address):
            return "550 5.1.1 there is no such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail, and answer once for every recipient, as LMTP has it."""
        sender = envelope.mail_from or inbox.NULL_SENDER
        status = await sync_to_async(_keep, thread_sensitive=False)(
            envelope.content, sender, list(envelope.rcpt_tos)
        )
        return "\r\n".join([status] * len(envelope.rcpt_tos))


@outside_requests
def _keep(data: bytes, sender: str, recipients: list[str]) -> str:
    try:
        inbox.receive(data, sender=sender, recipients=recipients)
    except ValueError as error:
        return f"552 5.3.4 {error}"
    except StorageError:  # also of a connection that broke, which is no DatabaseError
        _LOG.warning("a mail could not be kept now: the mail server tries again", exc_info=True)
        return "451 4.3.0 it can't be kept now, try again later"
    return "250 2.0.0 kept"


class LmtpServer:
    """One for each process; one of them has the port."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Begin to take mail, if the site takes any this way."""
        if configuration().post_lmtp:
            self._task = asyncio.create_task(self._listen(*parse_place(configuration().post_lmtp)))

    async def stop(self) -> None:
        """Take no more."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._server:
            self._server.close()

    @property
    def is_listening(self) -> bool:
        """Whether this process is the one that takes mail."""
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
                await asyncio.sleep(AGAIN_SECONDS)


def check_post(site: Configuration) -> None:
    """Raise ValueError, in a sentence, for wrong settings, ModuleNotFoundError for a missing library."""
    addresses = {"KAKOMI_POST_ADDRESS": site.post_address, "KAKOMI_POST_BOUNCES": site.post_bounces}
    for name, address in addresses.items():
        local, _, host = address.rpartition("@")
        if address and (not local or not host or "+" in local or len(address) > 200):
            raise ValueError(f"{name} should be an address without a +, such as play@games.example.org")
    if site.post_address and site.post_address.lower() == site.post_bounces.lower():
        raise ValueError("KAKOMI_POST_BOUNCES should be another address than KAKOMI_POST_ADDRESS")
    ways = {"KAKOMI_POST_LMTP": site.post_lmtp, "KAKOMI_POST_IMAP_URL": site.post_imap}
    for name, way in ways.items():
        if way and not site.post_address:
            raise ValueError(f"{name} needs KAKOMI_POST_ADDRESS: the address that takes commands")
    if site.post_lmtp:
        parse_place(site.post_lmtp)
        importlib.import_module("aiosmtpd")
    if site.post_imap:
        Folder.parse(site.post_imap)
