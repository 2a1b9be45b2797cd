"""The syntax of SGF FF[4] (https://red-bean.com/sgf/sgf4.html): nodes with properties, as text.

Our own, because the library for it (sgfmill) has had no release since 2018, skips whatever stands
before and after a game, and keeps as many nodes as a hostile file has semicolons.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.records.exceptions import RecordError

Properties = dict[str, list[str]]
"""Identifier -> values, as they stand between the brackets (`unescaped`)."""

MOST_PARTS = 500_000
"""The most nodes and values in a file."""

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
"""Numbers as the values of properties spell them, without a sign."""
_NUMBER = re.compile(rf"[+-]?(?:{NUMBER})(?:[eE][+-]?[0-9]{{1,3}})?")


@dataclass
class Node:
    """One node's properties; `before` is the number of its parent (-1 for the root)."""

    before: int
    properties: Properties = field(default_factory=dict)


def parse(text: str) -> list[Node]:
    """The nodes of the one game in a text, in its order, the root first. Raises RecordError."""
    nodes: list[Node] = []
    open_trees: list[int] = []
    last = -1
    for part in _parts(text):
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


def _parts(text: str) -> Iterator[re.Match[str]]:
    """The brackets, nodes and values of one game, each where it may stand."""
    may_come, depth, place = {"open"}, 0, 0
    for _ in range(MOST_PARTS):
        part = _PART.match(text, place)
        kind = part.lastgroup if part else None
        if not part or kind not in may_come:
            raise RecordError(_misplaced(text, place))
        yield part
        may_come, place = _MAY_FOLLOW[kind], part.end()
        depth += {"open": 1, "close": -1}.get(kind, 0)
        if depth == 0:
            break
    else:
        raise RecordError(
            lazy_message("the SGF file holds more than {most:,} nodes and values", most=MOST_PARTS)
        )
    if text[place:].strip():
        raise RecordError(lazy_message("more follows after the game: a file may hold one game"))


def _misplaced(text: str, place: int) -> LazyMessage:
    here = text[place : place + 200].strip()[:20]
    if not here:
        return lazy_message("the SGF file breaks off: a game ends with )")
    return lazy_message(
        "broken SGF in line {line}, at {here}", line=text.count("\n", 0, place) + 1, here=repr(here)
    )


def unescaped(value: str) -> str:
    """The text that a value stands for: SGF's Text, line ends as line feeds."""
    return _ESCAPED.sub(lambda escape: escape[1].replace("\n", ""), _LINE_END.sub("\n", value))


def number_of(text: str) -> float | None:
    """The number that a text spells; None if it spells none, or one that no game needs."""
    bare = text.strip()  # which takes more for blanks than `float` does
    return float(bare) if _NUMBER.fullmatch(bare) else None


def escaped(text: str) -> str:
    """The value that stands for a text."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def printed(nodes: Sequence[Node]) -> str:
    """The text of a tree of nodes; parents stand before children."""
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
    """Pieces joined, lines broken between them: at variations, and where one grows long."""
    lines = [""]
    for piece in pieces:
        if lines[-1] not in ("", "(") and (piece == "(" or len(lines[-1]) + len(piece) > _WIDTH):
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines) + "\n"
