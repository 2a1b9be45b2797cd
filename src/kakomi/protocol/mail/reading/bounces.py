"""Reports that mails of ours did not arrive: as RFC 3464 has them, and as Exim and qmail write them."""

import re
from collections.abc import Iterator, Sequence
from email.message import Message

from kakomi.protocol.mail.incoming import Bounce
from kakomi.protocol.mail.reading.headers import LONGEST_ADDRESS, decoded_value, message_ids
from kakomi.protocol.mail.reading.parts import MOST_PARTS, children_of, payload_bytes
from kakomi.records import tidy_line

MOST = 20
"""Addresses of one report."""
_LONGEST_TEXT = 20_000
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_CODE = re.compile(r"(?<![\d.])([45])\d\d(?=[ -])")
_ADDRESS = re.compile(r"[^\s@<>;,\"]{1,64}@[^\s@<>;,\"]{1,190}")
_AT_LINE = re.compile(r"^[ \t]{0,8}<?([^\s@<>;,\"]{1,64}@[^\s@<>;,\":]{1,190})>?:?[ \t]*$", re.MULTILINE)
_ID_LINE = re.compile(r"^Message-ID:\s{0,80}(<[^<>\s]{1,250}>)", re.MULTILINE | re.IGNORECASE)
_COPY = re.compile(r"^-{2,}.{0,80}(?:copy of|Below this line).*$", re.MULTILINE)


def is_report(message: Message) -> bool:
    """Whether a mail is a machine's report about another, to go by its type or by who sent it."""
    if message.get_content_type() == "multipart/report" or message.get("X-Failed-Recipients") is not None:
        return True
    sender = str(message.get("From", "")).lower()
    return "mailer-daemon" in sender or "mail delivery" in sender


def bounces_of(message: Message) -> tuple[Bounce, ...]:
    """Whom the mails did not reach that a report is about."""
    parts = list(_walk(message))
    found = [bounce for part in parts for bounce in _of_status(part)]
    return tuple((found or list(_of_text(message, parts)))[:MOST])


def bounced_ids(message: Message) -> tuple[str, ...]:
    """The message ids of the mails that a report is about: those in what it returns, and those it answers."""
    found = []
    for part in _walk(message):
        kind = part.get_content_type()
        if kind == "message/rfc822":
            inner = children_of(part)
            found += [id for child in inner for id in message_ids((str(child.get("Message-ID", "")),))]
        elif kind in ("text/rfc822-headers", "text/plain"):
            found += _ID_LINE.findall(_text(part))
    for name in ("In-Reply-To", "References"):
        found += message_ids((str(message.get(name, "")),))
    return tuple(dict.fromkeys(found))[:MOST]


def _walk(message: Message) -> list[Message]:
    """The parts, to a bounded number and depth, those that are no containers of other mails."""
    found: list[Message] = []
    waiting = [message]
    while waiting and len(found) < MOST_PARTS:
        part = waiting.pop(0)
        found.append(part)
        if part.get_content_maintype() == "multipart":
            waiting[:0] = children_of(part)
    return found


def _text(part: Message) -> str:
    return payload_bytes(part)[:_LONGEST_TEXT].decode("utf-8", "replace").replace("\r\n", "\n")


def _of_status(part: Message) -> Iterator[Bounce]:
    """What a `message/delivery-status` says, a block of fields for every address."""
    if part.get_content_type() not in ("message/delivery-status", "message/global-delivery-status"):
        return
    for block in children_of(part)[: MOST + 1]:
        action = str(block.get("Action", "")).strip().lower()
        recipient = block.get("Final-Recipient") or block.get("Original-Recipient")
        if recipient is None or action in ("delivered", "relayed", "expanded"):
            continue
        reason = decoded_value(str(block.get("Diagnostic-Code", "")))
        status = _STATUS.search(str(block.get("Status", ""))) or _STATUS.search(reason)
        yield Bounce(
            address=_address(str(recipient)),
            is_permanent=action in ("failed", "") and status is not None and status[1] == "5",
            status=status[0] if status else "",
            reason=_line(reason),
        )


def _address(field: str) -> str:
    """Of `rfc822; bob@example.org`."""
    found = _ADDRESS.search(decoded_value(field).rpartition(";")[2])
    return found[0].lower()[:LONGEST_ADDRESS] if found else ""


def _of_text(message: Message, parts: Sequence[Message]) -> Iterator[Bounce]:
    """What a report in plain words says: the addresses that its header or its lines name, and the first
    code."""
    text = next((_text(part) for part in parts if part.get_content_type() == "text/plain"), "")
    text = _COPY.split(text, maxsplit=1)[0]
    named = _ADDRESS.findall(str(message.get("X-Failed-Recipients", ""))[:4000]) or _AT_LINE.findall(text)
    status, code = _STATUS.search(text), _CODE.search(text)
    is_permanent = (status[1] if status else code[1] if code else "") == "5"
    reason = next((line for line in text.split("\n") if _CODE.search(line) or _STATUS.search(line)), "")
    for address in dict.fromkeys(name.lower().rstrip(".:") for name in named):
        yield Bounce(address, is_permanent, status[0] if status else "", _line(reason))


def _line(text: str) -> str:
    return tidy_line(" ".join(text.split()))[:200]
