"""The mail server of a season, which delivers the site's mails to people's mailboxes."""

import email
import json
import random
import socket
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller

from season.course import SeasonFolder, kept_lines

Mail = dict[str, Any]
MOST_UNREAD = 12
"""The most mails that a person reads per visit, the latest ones."""
SHOWN = 200
"""Characters stored of an answer, for debugging."""
ASKING = "We received an email from your address with the commands below and haven’t carried them out yet"
"""A text that only requests to confirm a mail contain."""
LATER = 0.02
"""The share of mails that the server defers, as with greylisting."""


class PostOffice:
    """An SMTP server with mailboxes, from which each mail is read once."""

    def __init__(self, folder: SeasonFolder, now: Callable[[], float], seed: int) -> None:
        self._path, self._now, self._chance = folder.mails, now, random.Random(seed)
        self._lock = threading.Lock()
        self._boxes: dict[str, deque[Mail]] = defaultdict(lambda: deque(maxlen=MOST_UNREAD))
        for mail in kept_lines(self._path):
            self._boxes[mail["to"]].append(mail)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=port)
        self.url = f"smtp://127.0.0.1:{port}"

    def __enter__(self) -> "PostOffice":
        self._controller.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._controller.stop()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Accept or defer a mail."""
        if self._chance.random() < LATER:
            return "451 4.7.1 come again later"
        message = email.message_from_bytes(envelope.content)
        for to in envelope.rcpt_tos:
            self._keep(
                {"to": to, "envelope": envelope.mail_from or "", "at": self._now(), **told_of(message)}
            )
        return "250 OK"

    def _keep(self, mail: Mail) -> None:
        with self._lock:
            with self._path.open("a") as file:
                file.write(json.dumps(mail) + "\n")
            self._boxes[mail["to"]].append(mail)

    def unread(self, address: str) -> list[Mail]:
        """Take the latest unread mails to an address, marking all as read."""
        with self._lock:
            return list(self._boxes.pop(address, ()))

    def put_back(self, address: str, mails: list[Mail]) -> None:
        """Mark mails as unread again."""
        with self._lock:
            self._boxes[address].extendleft(reversed(mails))


def told_of(message: Message) -> Mail:
    """The stored data of one of the site's mails."""
    text = " ".join(_text(message).split())
    answered = message["In-Reply-To"] if message["Auto-Submitted"] == "auto-replied" else ""
    return {
        "id": message["Message-ID"],
        "answers": answered,
        "says": text[:SHOWN] if answered else "",
        "reply_to": message["Reply-To"] or "",
        "has_problem": any(line.startswith("> ") for line in _text(message).splitlines()),
        "asks": ASKING in text,
        "passes_on": "Your message was added to the game chat" in text,
    }


def _text(message: Message) -> str:
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    return parts[0].get_payload(decode=True).decode(errors="replace") if parts else ""  # type: ignore[union-attr]
