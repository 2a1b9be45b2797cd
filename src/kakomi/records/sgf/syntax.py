"""The syntax of SGF FF[4] (https://red-bean.com/sgf/sgf4.html): nodes with properties, as text.

It is our own parser, because the existing library (sgfmill) has had no release since 2018, silently skips
text before and after a game, and doesn't limit the number of nodes in a hostile file.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kakomi.core.i18n import LazyMessage, lazy_error, lazy_message
from kakomi.records.record import Reading, RecordError, located

Properties = dict[str, list[str]]
"""Identifier -> raw values, as between the brackets (see `unescaped`)."""

_GAME = re.compile(r"\((?:\s*+;|(?=\s*+[A-Z]{1,2}\s*+\[))")
"""The start of a game; some programs omit the ; of its first node."""
_VALUE = r"\[(?P<{}>[^\\\]]*+(?:\\.[^\\\]]*+)*+)\]"
_PART = re.compile(
    r"\s*+(?:(?P<open>\((?=\s*;))|(?P<close>\))|(?P<node>;)"
    rf"|(?P<name>[A-Za-z]{{1,64}})\s*{_VALUE.format('first')}|{_VALUE.format('further')})",
    re.DOTALL,
)
_MAY_FOLLOW = {
    "open": {"node"},
    "node": {"node", "first", "open", "close"},
    "first": {"further", "node", "first", "open", "close"},
    "further": {"further", "node", "first", "open", "close"},
    "close": {"open", "close"},
}
_LINE_END = re.compile(r"\r\n|\n\r|\r")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WIDTH = 79
NUMBER = r"[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30}"
"""Unsigned numbers in the values of properties."""
_NUMBER = re.compile(rf"[+-]?(?:{NUMBER})(?:[eE][+-]?[0-9]{{1,3}})?")


_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ASCII = "(;CA[B]W+\\\n"
_NO_CHARSETS = ("idna", "punycode", "unicode_escape", "raw_unicode_escape")
"""Codecs that no file uses; some are extremely slow."""
_SUPERSETS = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
}
"""Character set that files name -> the superset that they often use."""
_PAIRS = re.compile(rb"(?:[\x81-\xfe][\x40-\xfe]){2,}")
_FREQUENT = {
    "cp949": re.compile(rb"[\xb0-\xc8][\xa1-\xfe]"),
    "gb18030": re.compile(rb"[\xb0-\xd7][\xa1-\xfe]"),
    "cp950": re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]"),
    "cp932": re.compile(rb"[\x81-\x84\x88-\x98][\x40-\xfc]"),
    "cp1251": re.compile(rb"[\xa8\xb8\xc0-\xff]{2}"),
}
"""The byte pairs that make up most text in a character set; narrower sets come first."""
_SHARES = {"cp949": 0.97, "cp1251": 0.95}
"""The required share of these pairs among all; 0.7 by default."""


def looks_like_sgf(data: bytes) -> bool:
    """Whether bytes may be SGF, that is, contain the start of a game."""
    head = data.lstrip()[:2]
    return head[:1] == b"(" or head in _UTF_16 or _GAME.search(data.decode("latin-1")) is not None


def decoded(data: bytes, reading: Reading) -> str:
    """Decode a file with the character set that it names, else the most likely one. Raises RecordError."""
    if data.startswith(_UTF_16):
        return data.decode("utf-16", "replace")
    named = _CHARSET.search(data[:1000])
    name = _charset(named[1].decode()) if named else ""
    candidates = [_SUPERSETS.get(name, name), name] if name else ["utf-8", *_guesses(data), "iso8859-1"]
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not name and encoding not in ("utf-8", "cp1252", "iso8859-1"):
            reading.warn(
                lazy_message(
                    "the file doesn't say its character set and was read as {encoding}: if names are wrong, "
                    "write CA[…] with the right one behind its (;",
                    encoding=encoding,
                )
            )
        return text
    raise lazy_error(
        RecordError, "invalid SGF: it says it is {encoding}, but it isn't", encoding=name.upper()
    )


def _charset(name: str) -> str:
    """Return Python's name of a character set; empty if it isn't ASCII-compatible, so the claim is wrong."""
    try:
        encoding = codecs.lookup(name).name
        is_possible = encoding not in _NO_CHARSETS and _ASCII.encode().decode(encoding, "replace") == _ASCII
    except LookupError:
        encoding, is_possible = "", False
    if not encoding or encoding in _NO_CHARSETS:
        raise located(f"CA[{name}]", lazy_message("this character set isn't supported: use UTF-8"))
    return encoding if is_possible else ""


def _guesses(data: bytes) -> Iterator[str]:
    """Yield likely character sets of a file that names none and isn't UTF-8, the most likely first."""
    pairs = [run[at : at + 2] for run in _PAIRS.findall(data[:100_000]) for at in range(0, len(run), 2)]
    for encoding, frequent in _FREQUENT.items():
        share = sum(frequent.fullmatch(pair) is not None for pair in pairs) / (len(pairs) or 1)
        is_enough = len(pairs) >= 8 or encoding != "cp949"  # a few pairs may be Korean or Chinese
        if is_enough and share >= _SHARES.get(encoding, 0.7):
            yield encoding
    yield "cp1252"


@dataclass
class Node:
    """One node's properties; `before` is the number of its parent (-1 for the root)."""

    before: int
    properties: Properties = field(default_factory=dict)


def parse(text: str, reading: Reading | None = None) -> list[Node]:
    """Parse the nodes of the first game in a text, in order, the root first. Raises RecordError."""
    reading = reading or Reading()
    nodes: list[Node] = []
    open_trees: list[int] = []
    last = -1
    for part in _parts(*_begun(text, reading), reading):
        match part.lastgroup:
            case "open":
                open_trees.append(last)
            case "close":
                last = open_trees.pop()
            case "node":
                nodes.append(Node(last))
                last = len(nodes) - 1
            case "first":
                name = "".join(c for c in part["name"] if c.isupper())  # FF[3] wrote AddBlack for AB
                values = nodes[-1].properties.setdefault(name, [])
                values.append(part["first"])
            case "further":
                values.append(part["further"])
    return nodes


def _begun(text: str, reading: Reading) -> tuple[str, int]:
    """Return the text, with the ; of the first node if it was missing, and the start of the first game."""
    found = _GAME.search(text)
    if not found:
        raise RecordError(_misplaced(text, 0))
    begin, end = found.span()
    if text[:begin].strip():
        reading.warn(lazy_message("text before the game was ignored"))
    if text[end - 1] != ";":
        reading.warn(lazy_message("the game's first ; is missing, and was added"))
        text = f"{text[:end]};{text[end:]}"
    return text, begin


def _parts(text: str, place: int, reading: Reading) -> Iterator[re.Match[str]]:
    """Yield the brackets, nodes and values of one game. Raises RecordError for a misplaced one."""
    may_come, depth = {"open"}, 0
    for count in range(1, reading.most_parts + 2):
        part = _PART.match(text, place)
        kind = part.lastgroup if part else None
        if not part or kind not in may_come:
            raise RecordError(_misplaced(text, place))
        reading.expect_parts(count)
        yield part
        may_come, place = _MAY_FOLLOW[kind], part.end()
        depth += {"open": 1, "close": -1}.get(kind, 0)
        if depth == 0:
            break
    if _GAME.search(text, place):
        reading.warn(lazy_message("the file has several games: only the first was read"))
    elif text[place:].strip():
        reading.warn(lazy_message("text after the game was ignored"))


def _misplaced(text: str, place: int) -> LazyMessage:
    here = text[place : place + 200].strip()[:20]
    if not here:
        return lazy_message("the SGF file is incomplete: a game ends with )")
    return lazy_message(
        "invalid SGF in line {line}, at {here}", line=text.count("\n", 0, place) + 1, here=repr(here)
    )


def unescaped(value: str) -> str:
    """Decode a value as SGF's Text, with line feeds as line ends."""
    return _ESCAPED.sub(lambda escape: escape[1].replace("\n", ""), _LINE_END.sub("\n", value))


def number_of(text: str) -> float | None:
    """Parse a number; None if the text isn't one, or an absurdly long one."""
    bare = text.strip()  # strips more kinds of blanks than `float`
    return float(bare) if _NUMBER.fullmatch(bare) else None


def escaped(text: str) -> str:
    """Escape a text as a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def printed(nodes: Sequence[Node]) -> str:
    """Write a tree of nodes as text; parents must come before children."""
    followers: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes[1:], 1):
        followers[node.before].append(number)
    pieces: list[str] = []
    waiting: list[int | str] = [")", 0, "("]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        pieces.append(_node_printed(nodes[piece]))
        if len(followers[piece]) == 1:
            waiting.append(followers[piece][0])
        else:
            for number in reversed(followers[piece]):
                waiting += [")", number, "("]
    return _in_lines(pieces)


def _node_printed(node: Node) -> str:
    return ";" + "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in node.properties.items()
    )


def _in_lines(pieces: Sequence[str]) -> str:
    """Join pieces with line breaks before variations and where a line gets too long."""
    lines = [""]
    for piece in pieces:
        if lines[-1] not in ("", "(") and (piece == "(" or len(lines[-1]) + len(piece) > _WIDTH):
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines) + "\n"
