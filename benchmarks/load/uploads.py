"""Files that are expensive to read and that the site refuses: the corpus of tests and of `--uploads`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import cycle

from benchmarks.load.site import RunningSite

MOST_SECONDS = 0.2
"""The most processor time that a guest's request may take before it is refused."""
TOKEN = "t" * 32

HEAD = "(;FF[4]CA[UTF-8]SZ[4]RU[Rin]"
JSON = '{"kakomi_record": 1, "game": "rin", "options": {"size": 4}, '
EMPTY, OUT = '{"player": 0}', "\\]"
LETTERS = "abcdefghijklm"


def _record(**fields: str) -> str:
    return JSON + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}"


def _many(item: str, count: int) -> str:
    return f"[{', '.join([item] * count)}]"


def _line() -> list[tuple[str, str, str]]:
    """Return legal moves of Lin in sequence: the player, and the point in SGF's and the game's notation."""
    points = [(column, row) for row in range(1, 13, 2) for column in range(13)]
    players = cycle("BW")
    return [(next(players), LETTERS[x] + LETTERS[y], f"{LETTERS[x]}{13 - y}") for x, y in points]


def _legal_sgf(variations: int) -> str:
    line = "".join(f";{player}[{point}]" for player, point, _ in _line())
    return "(;SZ[13]" + f"({line})" * variations + "(;W[aa]))"


def _legal_json(variations: int) -> str:
    turns = [
        {"player": "BW".index(player), "actions": [text], **({} if number else {"after": 0})}
        for _ in range(variations)
        for number, (player, _, text) in enumerate(_line())
    ]
    return json.dumps(
        {"kakomi_record": 1, "game": "lin", "turns": [*turns, {"after": 0, "player": 1, "actions": ["a1"]}]}
    )


SGF: dict[str, str] = {
    "one point again and again": HEAD + ";B[aa]" * 60_000 + ")",
    "an illegal first move": HEAD + ";W[aa];B[aa]" * 80_000 + ")",
    "nested variations": HEAD + "(;B[aa]" * 100_000 + ")" * 100_001,
    "flat variations": HEAD + "(;B[aa])" * 60_000 + ")",
    "variations within a turn": HEAD + ";B[aa]" + "(;W[bb];W[cc])" * 30_000 + ")",
    "variations of a long turn": HEAD + ";B[aa]" * 900 + "(;B[bb])" * 9_000 + ")",
    "empty nodes": HEAD + ";" * 900_000 + ")",
    "values": HEAD + "AB" + "[]" * 400_000 + ")",
    "setup": HEAD + ";AB[aa]" * 100_000 + ")",
    "comments": HEAD + ";C[a]" * 180_000 + ")",
    "escapes": HEAD + "C[" + "\\]" * 400_000 + "]RE[W+9])",
    "a long word": "(;" + "A" * 900_000,
    "a long result": HEAD + "RE[B+" + "9" * 900_000 + "]XX)",
    "brackets": "(" * 900_000,
    "brackets and letters": "(x" * 450_000,
    "blanks": "(;" + " " * 900_000,
    "turns in ours": HEAD
    + "KAKOMI["
    + _record(turns=_many('{"player": 0}', 40_000)).replace("]", "\\]")
    + "])",
    "legal moves, then one that is not": _legal_sgf(76),
    "more legal moves": _legal_sgf(1_900),
    "letters of no character set": "(;PB[" + "\x81\u4e00" * 190_000 + "];XX)",
}
"""Files for Rin, except those with legal moves, which are for Lin."""

RECORDS: dict[str, str] = {
    "nested": _record(turns="[" * 900_000),
    "turns": _record(turns=_many('{"player": 0, "actions": ["0,0"]}', 25_000)),
    "variations": _record(turns=_many('{"after": 0, "player": 0, "actions": ["0,0"]}', 20_000)),
    "a long turn": _record(turns='[{"player": 0, "actions": ' + _many('"0,0"', 140_000) + "}]"),
    "a long turn of few": _record(turns='[{"player": 0, "actions": ' + _many('"0,0"', 5_900) + "}]"),
    "options": JSON.removesuffix("}, ")
    + ", "
    + ", ".join(f'"o{number}": 1' for number in range(60_000))
    + "}}",
    "seats": _record(seats=_many("{}", 220_000)),
    "resignations": _record(resignations=_many('{"player": 1, "after": 0}', 35_000)),
    "winners": _record(result='{"reason": "rules", "winners": ' + _many("1", 300_000) + "}"),
    "points": _record(match='{"game": 1, "games": 1, "points": ' + _many("1", 300_000) + "}"),
    "control characters": _record(comment='"' + "\\u0007" * 160_000 + '"'),
    "a position": _record(position='"' + "1/" * 4_999 + '"'),
    "a long position": _record(position='"' + "x" * 900_000 + '"'),
    "legal moves, then one that is not": _legal_json(76),
}

CORPUS: dict[str, bytes] = {
    **{f"SGF: {name}": text.encode() for name, text in SGF.items()},
    **{f"JSON: {name}": text.encode() for name, text in RECORDS.items()},
}


@dataclass
class Cost:
    """The processor time that the site takes to respond to a request."""

    name: str
    status: int
    seconds: float

    def line(self) -> str:
        return f"| {self.name} | {self.status} | {1000 * self.seconds:.0f} ms |"


def costs(site: RunningSite, times: int = 5) -> Iterator[Cost]:
    """Yield the average cost of each file of the corpus, uploaded by a guest."""
    for name, data in {"a first one, to load what is needed": b"(;SZ[13]XX)", **CORPUS}.items():
        before = site.cpu_seconds()
        statuses = [_uploaded(site.ports[0], data, game_in(name)) for _ in range(times)]
        yield Cost(name, statuses[-1], (site.cpu_seconds() - before) / times)


def _uploaded(port: int, data: bytes, game: str) -> int:
    """Upload a file and return the status of the response."""
    parts = (b'name="game"\r\n\r\n' + game.encode(), b'name="record"; filename="a.sgf"\r\n\r\n' + data)
    body = b"".join(b"--limit\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts)
    headers = {
        "Content-Type": "multipart/form-data; boundary=limit",
        "Cookie": f"csrftoken={TOKEN}",
        "X-CSRFToken": TOKEN,
    }
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/analysis/upload", body + b"--limit--\r\n", headers)
    status = connection.getresponse().status
    connection.close()
    return status


def game_in(name: str) -> str:
    """Return the game that is named in the upload of a file of the corpus."""
    return "" if name.startswith("JSON") else "lin" if "legal moves" in name else "rin"
