"""Mail by LMTP (RFC 2033), from a mail server beside the site; never from the internet.

A mail is acknowledged once it is on disk. If it can't be kept now, the mail server is asked to try again.
"""

import asyncio
import errno
import logging
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.db import Error as StorageError

from kakomi.server.configuration import configuration
from kakomi.server.database import outside_requests
from kakomi.server.post import inbox
from kakomi.server.post.reply_addresses import is_site_address
from kakomi.server.whole_numbers import whole_number

AGAIN_SECONDS = 5.0
"""Seconds until a process tries again to get the port that another one has: it may end."""
MOST_BYTES = 16 << 20
"""Bytes that are read at all; what is larger than `inbox.LARGEST` is refused in order."""
_LOG = logging.getLogger(__name__)


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
