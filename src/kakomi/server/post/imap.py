"""Mail from a folder of another mail server (IMAP), for who runs none.

A mail is marked as seen once it is on disk; so one that was fetched when a process died is fetched again, and
known by its key.
"""

import contextlib
import imaplib
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from kakomi.server.configuration import configuration
from kakomi.server.post import inbox

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
