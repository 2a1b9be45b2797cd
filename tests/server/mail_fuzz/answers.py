"""Checks that the site's answers are well-formed mails to the right address."""

import email
import re
import unicodedata
from collections.abc import Iterator
from email.utils import getaddresses
from html.parser import HTMLParser
from typing import Any

from kakomi.server.mail.reply_addresses import Purpose, Token, is_site_address
from kakomi.server.notices.mail import message_of
from server.correspondence import address_of
from server.mail_fuzz.world import World

COLUMNS = 72
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_SINGLE = {"br", "img", "meta", "hr"}


class _Tags(HTMLParser):
    """Tracks open elements, to find unbalanced tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SINGLE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong = self.wrong or f"</{tag}> ends nothing"


def width_of(line: str) -> int:
    """The width of a line in columns."""
    if line.isascii():
        return len(line)
    signs = (0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
             for sign in line)  # fmt: skip
    return sum(signs)


def faults_of(content: dict[str, Any]) -> Iterator[str]:
    """The faults of a mail, as phrases."""
    for line in content["text"].split("\n"):
        if "://" not in line and width_of(line) > COLUMNS:
            yield f"{width_of(line)} columns: {line!r}"
    if content["html"]:
        tags = _Tags()
        tags.feed(content["html"])
        tags.close()
        if tags.wrong or tags.open:
            yield f"its HTML is not whole: {tags.wrong or tags.open}"
    if not content["text"].strip() or "\x00" in content["text"] or "\r" in content["text"]:
        yield "its text is empty, or none"
    yield from _faults_of_message(content)


def _faults_of_message(content: dict[str, Any]) -> Iterator[str]:
    data = message_of(content).message().as_bytes()
    message = email.message_from_bytes(data)
    if message.defects:
        yield f"it is no mail: {message.defects}"
    for name in ("From", "To", "Reply-To"):
        if len(getaddresses(message.get_all(name, []))) != 1 or not _ADDRESS.search(message[name]):
            yield f"{name} is no address: {message[name]!r}"
    for name in ("Auto-Submitted", "X-Kakomi-Mail", "Subject"):
        if not message[name]:
            yield f"it has no {name}"
    body = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    kept = body.get_payload(decode=True)
    if not isinstance(kept, bytes) or kept.decode().rstrip("\n") != content["text"].rstrip("\n"):
        yield "its text is another once it was sent"
    longest = max(map(len, data.split(b"\n")))
    if longest > 998:
        yield f"a line of {longest} bytes"


def faults_of_address(content: dict[str, Any], world: World) -> Iterator[str]:
    """The faults of a mail's addresses: a secret sent to the wrong person, or a mail to the site itself."""
    to, reply = content["to"], content["headers"].get("Reply-To", "")
    if is_site_address(to):
        yield f"it goes to the site itself: {to}"
    secret = reply.rpartition("@")[0].partition("+")[2]
    token = Token.parse(secret) if secret else None
    if secret and token is None:
        yield f"its secret address is none: {reply}"
    if token is None:
        return
    name = next((name for name, guest in world.people.items() if guest.pk == token.guest), None)
    if token.guest == 0 and token.purpose != Purpose.CONFIRMATION:
        yield f"a secret of nobody: {token}"
    if name is not None and to != address_of(str(name)):
        yield f"a secret of {name} goes to {to}"
