"""The parts of a mail: which of them hold its text, and that text."""

import binascii
import re
from collections.abc import Iterator
from email.message import Message

from kakomi.protocol.mail.reading.charsets import decoded_bytes
from kakomi.protocol.mail.reading.html_text import text_of_html
from kakomi.records import tidy

MOST_PARTS = 50
LONGEST_TEXT = 64_000
"""Characters of text that are kept."""
_DEEPEST = 8
"""How deep parts may lie in each other."""


def text_of(message: Message) -> str:
    """The text of a mail as its sender wrote it: the plain alternative, else the text of the HTML; several
    parts shown one after the other are joined."""
    texts = [text for text in _texts(message, 0, iter(range(MOST_PARTS))) if text.strip()]
    return tidy("\n".join(texts)[:LONGEST_TEXT])


def _texts(part: Message, depth: int, budget: Iterator[int]) -> Iterator[str]:
    if next(budget, None) is None or depth > _DEEPEST:
        return
    kind, children = _kind(part), children_of(part)
    if kind == "multipart/alternative":
        yield _best([list(_texts(child, depth + 1, budget)) for child in children], children)
    elif kind == "multipart/signed":
        for child in children[:1]:
            yield from _texts(child, depth + 1, budget)
    elif kind.startswith("multipart/"):
        for child in children:
            yield from _texts(child, depth + 1, budget)
    elif kind in ("text/plain", "text/html") and not _is_attached(part):
        yield part_text(part)


def _best(found: list[list[str]], children: list[Message]) -> str:
    """The first alternative with any text that is plain, else the first that has any."""
    ranked = sorted(zip(found, children, strict=True), key=lambda pair: _kind(pair[1]) != "text/plain")
    return next((text for texts, _ in ranked if (text := "\n".join(texts)).strip()), "")


def _kind(part: Message) -> str:
    return part.get_content_type()


def children_of(part: Message) -> list[Message]:
    """The parts of a part, which may be mails; none of one that has content of its own."""
    if not part.is_multipart():
        return []
    return [child for child in part.get_payload() if isinstance(child, Message)]


def _is_attached(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")


def part_text(part: Message) -> str:
    """The text of one part, its transfer encoding, charset, HTML and flowed lines undone."""
    text = decoded_bytes(payload_bytes(part), _parameter(part, "charset"))
    if _kind(part) == "text/html":
        return text_of_html(text)
    text = text[: 2 * LONGEST_TEXT].replace("\r\n", "\n").replace("\r", "\n")
    if _parameter(part, "format").lower() == "flowed":
        return joined_flow(text, drops_space=_parameter(part, "delsp").lower() == "yes")
    return text


def payload_bytes(part: Message) -> bytes:
    """The content of a part as bytes; b"" for one that holds others."""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, binascii.Error, LookupError, AttributeError, TypeError):
        payload = None
    if isinstance(payload, bytes):
        return payload
    try:
        raw = part.get_payload()
    except (ValueError, LookupError):  # a charset that is none: a name with NUL in it, say
        return b""
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _parameter(part: Message, name: str) -> str:
    """A parameter of the content type; "" without it, or if it makes no sense."""
    try:
        value = part.get_param(name, "")
    except (ValueError, IndexError, TypeError, LookupError):
        return ""
    if isinstance(value, tuple):  # RFC 2231: charset, language, value
        value = value[2]
    return value if isinstance(value, str) else ""


_QUOTES = re.compile(r">*")


def joined_flow(text: str, *, drops_space: bool = False) -> str:
    """Flowed text (RFC 3676) with each paragraph in a line, quotation marks as they were."""
    lines: list[str] = []
    flowing: int | None = None
    for raw in text.split("\n"):
        marks = _QUOTES.match(raw)
        depth = marks.end() if marks else 0
        body = raw[depth:].removeprefix(" ")
        is_signature = body == "-- "
        if flowing == depth and not is_signature:
            lines[-1] += body
        else:
            lines.append(f"{'>' * depth}{' ' if depth else ''}{body}")
        flowing = depth if body.endswith(" ") and not is_signature else None
        if flowing is not None and drops_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
