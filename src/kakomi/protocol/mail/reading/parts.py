"""Headers and parts of an email, parsed with limits and decoded whatever they contain: emails may name a
wrong charset, one that doesn't exist, or none, and mail programs put prefixes before subjects.
"""

import binascii
import codecs
import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses

from kakomi.protocol.mail.reading.new_text import text_of_html
from kakomi.records import tidy, tidy_line

_REPLIES = (
    "re", "aw", "antw", "antwort", "sv", "vs", "rif", "r", "rép", "rep", "resp", "res", "ref", "odp",
    "odg", "ynt", "yan",
    "atb", "bls", "vá", "vb", "ang", "tr", "ats", "hb", "за", "ответ", "отв", "на", "απ", "σχετ", "回复",
    "回覆", "答复",
    "返信", "回答", "회신", "תשובה", "השב", "رد", "trả lời",
)  # fmt: skip
_FORWARDS = (
    "fw", "fwd", "wg", "enc", "rv", "i", "pd", "vl", "doorst", "vidarebefordra", "vs", "wtr", "iletilen",
    "пересл", "转发", "轉寄", "転送", "전달", "הועבר", "إعادة توجيه", "προώθ",
)  # fmt: skip
_PREFIX = re.compile(
    rf"\s*(?:{'|'.join(map(re.escape, sorted({*_REPLIES, *_FORWARDS}, key=len, reverse=True)))})\.?"
    r"\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s*[:：]\s*",
    re.IGNORECASE,
)


def without_prefixes(subject: str) -> tuple[str, bool]:
    """Return a subject without prefixes such as `Re:`, `AW:`, `RE[2]:` or `Antw:`, and whether it had any."""
    start = 0
    while found := _PREFIX.match(subject, start):
        start = found.end()
    return subject[start:].strip(), start > 0


_CLAIMED_FOR_ALL = ("", "ascii", "iso8859-1", "cp1252", "iso8859-15")
"""Charsets that programs name without checking; bytes that are valid UTF-8 are read as that instead."""
_ESCAPES = (
    "idna",
    "punycode",
    "raw-unicode-escape",
    "raw_unicode_escape",
    "undefined",
    "unicode-escape",
    "unicode_escape",
)
"""Python codecs that aren't charsets of emails."""
_ALIASES = {
    "iso-8859-8-i": "iso8859-8",
    "x-gbk": "gbk",
    "x-sjis": "shift_jis",
    "x-euc-jp": "euc_jp",
    "windows-874": "cp874",
    "unicode-1-1-utf-7": "utf-7",
}


def decoded_bytes(data: bytes, claimed: str) -> str:
    """Decode bytes with the claimed charset if it fits, else as UTF-8, else as Windows-1252."""
    charset = _codec(claimed)
    tries = ["utf-8", charset] if charset in _CLAIMED_FOR_ALL else [charset, "utf-8"]
    for name in tries:
        text = _decoded(data, name) if name else None
        if text is not None:
            return text.removeprefix("\ufeff")
    return data.decode("cp1252", "replace")


def _codec(claimed: str) -> str:
    """Return the name of Python's codec; "" for an unknown charset."""
    name = claimed.strip().strip("\"'").lower()[:40]
    try:
        codec = codecs.lookup(_ALIASES.get(name, name))
    except (LookupError, ValueError, UnicodeError):
        return ""
    is_text = getattr(codec, "_is_text_encoding", True)
    return codec.name if is_text and codec.name not in _ESCAPES else ""


def _decoded(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError):
        return None


LONGEST_VALUE = 4_000
"""The most characters of a header that are read."""
MOST_HEADERS = 200
LONGEST_ADDRESS = 254
"""In characters, as in SMTP (RFC 5321, 4.5.3.1)."""
MOST_IDS = 50

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_FOLD = re.compile(r"[\r\n]+[ \t]*")


class BoundedPolicy(Compat32):
    """The most lenient policy of `email`, but with a limit on the length of headers, because it parses a
    `Content-Type` in quadratic time."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, _, first = sourcelines[0][:LONGEST_VALUE].partition(":")
        length, lines = len(first), [first]
        for line in sourcelines[1:]:
            if length > LONGEST_VALUE:
                break
            lines.append(line)
            length += len(line)
        return name[:100], "".join(lines)[:LONGEST_VALUE].lstrip(" \t").rstrip("\r\n")


def decoded_headers(message: Message) -> tuple[tuple[str, str], ...]:
    """Return all headers, with names in lower case and each value as one line of Unicode."""
    return tuple((name.lower(), decoded_value(str(value))) for name, value in message.raw_items())[
        :MOST_HEADERS
    ]


def decoded_value(raw: str) -> str:
    """Decode a header's value: unfold it, decode encoded words and interpret non-ASCII bytes."""
    unfolded = _FOLD.sub(" ", raw[:LONGEST_VALUE])
    try:
        parts = decode_header(unfolded)
    except (HeaderParseError, ValueError):  # invalid base64
        parts = [(unfolded, None)]
    return tidy_line("".join(_part(part, charset) for part, charset in parts)).strip()


def _part(part: str | bytes, charset: str | None) -> str:
    if isinstance(part, str):
        part = part.encode("ascii", "surrogateescape") if part.isascii() else _bytes_of(part)
    return decoded_bytes(part, charset or "")


def _bytes_of(text: str) -> bytes:
    """Return the bytes of a header, in which the parser keeps those beyond ASCII as surrogates."""
    try:
        return text.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def addresses(values: tuple[str, ...]) -> list[str]:
    """Return the (lower-case) addresses in the values of a header, without invalid ones."""
    found = []
    for _, address in _library_addresses(list(values)):
        address = decoded_value(address).lower()
        if len(address) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(address):
            found.append(address)
    return found


def _library_addresses(values: list[str]) -> list[tuple[str, str]]:
    try:
        return getaddresses(values)
    except (ValueError, IndexError, TypeError, AttributeError, RecursionError):  # its old parser may fail
        return []


def message_ids(values: tuple[str, ...]) -> list[str]:
    """Return the message ids in the values of a header, in order."""
    return [found for value in values for found in _MESSAGE_ID.findall(value)][-MOST_IDS:]


MOST_PARTS = 50
LONGEST_TEXT = 64_000
"""The most characters of text that are kept."""
_DEEPEST = 8
"""How deeply parts may be nested."""


def text_of(message: Message) -> str:
    """Return an email's text: its plain alternative, else that of its HTML. Consecutive parts are joined."""
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
    """Return the first plain alternative with any text, else the first alternative with any."""
    ranked = sorted(zip(found, children, strict=True), key=lambda pair: _kind(pair[1]) != "text/plain")
    return next((text for texts, _ in ranked if (text := "\n".join(texts)).strip()), "")


def _kind(part: Message) -> str:
    return part.get_content_type()


def children_of(part: Message) -> list[Message]:
    """Return the parts within a part, which may be emails; empty if it has content itself."""
    if not part.is_multipart():
        return []
    return [child for child in part.get_payload() if isinstance(child, Message)]


def _is_attached(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")


def part_text(part: Message) -> str:
    """Return the text of one part, decoding transfer encoding, charset, HTML and flowed lines."""
    text = decoded_bytes(payload_bytes(part), _parameter(part, "charset"))
    if _kind(part) == "text/html":
        return text_of_html(text)
    text = text[: 2 * LONGEST_TEXT].replace("\r\n", "\n").replace("\r", "\n")
    if _parameter(part, "format").lower() == "flowed":
        return joined_flow(text, drops_space=_parameter(part, "delsp").lower() == "yes")
    return text


def payload_bytes(part: Message) -> bytes:
    """Return the content of a part as bytes; b"" if it contains other parts."""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, binascii.Error, LookupError, AttributeError, TypeError):
        payload = None
    if isinstance(payload, bytes):
        return payload
    try:
        raw = part.get_payload()
    except (ValueError, LookupError):  # an invalid charset, such as a name with NUL in it
        return b""
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _parameter(part: Message, name: str) -> str:
    """Return a parameter of the content type; "" if it is missing or malformed."""
    try:
        value = part.get_param(name, "")
    except (ValueError, IndexError, TypeError, LookupError):
        return ""
    if isinstance(value, tuple):  # RFC 2231: charset, language, value
        value = value[2]
    return value if isinstance(value, str) else ""


_QUOTES = re.compile(r">*")


def joined_flow(text: str, *, drops_space: bool = False) -> str:
    """Return flowed text (RFC 3676) with each paragraph in one line, keeping quote marks."""
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
