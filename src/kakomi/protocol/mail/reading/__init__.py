"""Reading an email: from bytes to an `IncomingMail`."""

from collections import defaultdict
from email import message_from_bytes
from email.message import Message

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.reading.automatic import (
    OWN_MARK,
    automatic_reason,
    bounces_of,
    is_report,
)
from kakomi.protocol.mail.reading.new_text import MARK, new_text
from kakomi.protocol.mail.reading.parts import (
    BoundedPolicy,
    addresses,
    decoded_headers,
    message_ids,
    text_of,
    without_prefixes,
)

__all__ = ["MARK", "MOST_BYTES", "OWN_MARK", "read_mail"]

MOST_BYTES = 1 << 20
"""The most bytes of an email that are read; the rest is ignored."""
_MOST_LINES = 20_000
_MOST_CONTAINERS = 40
"""The most parts that may contain others: `email` compares every line with the ends of all open ones."""
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_MOST_RECIPIENTS = 50


def read_mail(data: bytes) -> IncomingMail:
    """Read an email. Never raises, whatever the bytes are, and takes time proportional to their number."""
    message = _parsed(data)
    headers = decoded_headers(message)
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    raw_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in headers:
        by_name[name].append(value)
    for name, raw in message.raw_items():
        raw_by_name[name.lower()].append(str(raw))
    subject, has_prefix = without_prefixes(next(iter(by_name["subject"]), ""))
    senders = _addresses(raw_by_name, "from") or _addresses(raw_by_name, "sender")
    sender = senders[0] if senders else ""
    reports = is_report(message)
    automatic = automatic_reason(by_name, sender, subject, is_report=reports)
    return IncomingMail(
        sender=sender,
        envelope_sender=_envelope_sender(by_name["return-path"]),
        recipients=_recipients(raw_by_name),
        message_id=next(iter(message_ids(tuple(by_name["message-id"]))), ""),
        answered_ids=_answered_ids(by_name),
        subject=subject,
        has_prefix=has_prefix,
        text=new_text(text_of(message)),
        automatic=automatic,
        bounces=bounces_of(message) if automatic == "bounce" else (),
        headers=headers,
    )


def _parsed(data: bytes) -> Message:
    """Return the email as far as it is read."""
    kept = data[:MOST_BYTES]
    lines = kept.split(b"\n", _MOST_LINES)
    if len(lines) > _MOST_LINES:
        kept = b"\n".join(lines[:_MOST_LINES])
    if kept.lower().count(b"multipart/") + kept.lower().count(b"message/") > _MOST_CONTAINERS:
        kept = kept.replace(b"\r\n", b"\n").partition(b"\n\n")[0]  # only its headers
        kept = b"\n".join(line for line in kept.split(b"\n") if b"multipart/" not in line.lower())
    return message_from_bytes(kept, policy=BoundedPolicy())


def _addresses(headers: dict[str, list[str]], name: str) -> list[str]:
    return addresses(tuple(headers.get(name, ())))


def _recipients(headers: dict[str, list[str]]) -> tuple[str, ...]:
    found = [address for name in _RECIPIENTS for address in _addresses(headers, name)]
    return tuple(dict.fromkeys(found))[:_MOST_RECIPIENTS]


def _envelope_sender(values: list[str]) -> str | None:
    if not values:
        return None
    return next(iter(addresses(tuple(values[:1]))), "")


def _answered_ids(headers: dict[str, list[str]]) -> tuple[str, ...]:
    """Return the ids of the emails that are answered, the latest first."""
    direct = message_ids(tuple(headers.get("in-reply-to", ())))
    return tuple(dict.fromkeys([*direct, *reversed(message_ids(tuple(headers.get("references", ()))))]))
