"""Headers: bounded as they are parsed, then decoded, whatever is in them."""

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses

from kakomi.protocol.mail.reading.charsets import decoded_bytes
from kakomi.records import tidy_line

LONGEST_VALUE = 4_000
"""Characters of a header that are looked at."""
MOST_HEADERS = 200
LONGEST_ADDRESS = 254
"""Characters, as SMTP has it (RFC 5321, 4.5.3.1)."""
MOST_IDS = 50

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_FOLD = re.compile(r"[\r\n]+[ \t]*")


class BoundedPolicy(Compat32):
    """The library's oldest policy, which takes everything, but for headers that are too long to be any good:
    its own look at a `Content-Type` takes time with the square of the length."""

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
    """All headers, names in lower case, each value as one line of Unicode."""
    return tuple((name.lower(), decoded_value(str(value))) for name, value in message.raw_items())[
        :MOST_HEADERS
    ]


def decoded_value(raw: str) -> str:
    """A header's value: unfolded, encoded words decoded, bytes that are none of ASCII taken for text."""
    unfolded = _FOLD.sub(" ", raw[:LONGEST_VALUE])
    try:
        parts = decode_header(unfolded)
    except (HeaderParseError, ValueError):  # base64 that is none
        parts = [(unfolded, None)]
    return tidy_line("".join(_part(part, charset) for part, charset in parts)).strip()


def _part(part: str | bytes, charset: str | None) -> str:
    if isinstance(part, str):
        part = part.encode("ascii", "surrogateescape") if part.isascii() else _bytes_of(part)
    return decoded_bytes(part, charset or "")


def _bytes_of(text: str) -> bytes:
    """The bytes of a header as the parser keeps them, those beyond ASCII as surrogates."""
    try:
        return text.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def addresses(values: tuple[str, ...]) -> list[tuple[str, str]]:
    """Names and addresses, those in lower case, of the values of a header; what is no address is left out."""
    found = []
    for name, address in _library_addresses(list(values)):
        address = decoded_value(address).lower()
        if len(address) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(address):
            found.append((decoded_value(name)[:200], address))
    return found


def _library_addresses(values: list[str]) -> list[tuple[str, str]]:
    try:
        return getaddresses(values)
    except (ValueError, IndexError, TypeError, AttributeError, RecursionError):  # its parser is old
        return []


def message_ids(values: tuple[str, ...]) -> list[str]:
    """The message ids in the values of a header, in their order."""
    return [found for value in values for found in _MESSAGE_ID.findall(value)][-MOST_IDS:]
