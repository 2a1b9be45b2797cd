"""Whatever is sent to an engine, each line gets one answer, and the session continues."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kakomi
from kakomi.protocol.engine import Engine, Settings
from kakomi.protocol.lines import MOST_BYTES, lines_of
from kakomi.protocol.messages import COMMANDS
from kakomi.protocol.serving import serve
from protocol.engine_lines import answers

GAMES = kakomi.names()
HOSTILE = [
    b"\x00",
    b"\xff\xfe",
    b'{"id": 1, "command": "hello\x00"}',
    b'{"id": "\xff", "command": "hello"}',
    b'{"id": 1, "command": "hello"',
    b'{"id": 1, "command": "hello"} {"id": 2}',
    b"[" * 100_000,
    b'{"id":' * 100_000,
    b'{"id": 1, "command": "setup", "record": ' + b"[" * 100_000,
    b'{"id": 1, "command": "setup", "record": {"a":' + b'{"a":' * 100_000,
    b'{"id": 1, "command": "setup", "game": "rin", "actions": ["\\ud800"]}',
    b'{"id": "\\ud800", "command": "hello"}',
    b'{"id": 1e400, "command": "hello"}',
    b'{"id": 99999999999999999999999, "command": "hello"}',
    b'{"id": "' + b"x" * 101 + b'", "command": "hello"}',
    b'{"id": 1, "command": "setup", "game": "rin", "options": {"size": 1e999}}',
    b'{"id": 1, "command": "setup", "game": "rin", "options": {"size": 99999999999999999999}}',
    b'{"id": 1, "command": "setup", "game": "' + b"x" * 100_000 + b'"}',
    b'{"id": 1, "command": "' + b"x" * 100_000 + b'"}',
    b'{"id": 1, "command": "hello", "' + b"x" * 100_000 + b'": 1}',
    b'{"id": 1, "command": "show", "game": "rin", "options": {"' + b"x" * 100_000 + b'": 1}}',
    b'{"id": 1, "command": "show", "game": "rin", "actions": ["' + b"x" * 100_000 + b'"]}',
    b'{"id": 1, "command": "show", "game": "rin", "drawing": "' + b"x" * 100_000 + b'"}',
    b'{"id": 1, "command": "undo", "count": -1}',
    b'{"id": 1, "command": "genmove", "game": "rin", "seconds": -1}',
    b'{"id": 1, "command": "genmove", "game": "rin", "seconds": NaN}',
    b'{"id": 1, "command": "genmove", "game": "rin", "bot": "simulations:nan"}',
    b'{"id": 1, "command": "play", "actions": []}',
    b"\xef\xbb\xbf{}",
]


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_line_gets_one_short_error(line: bytes) -> None:
    refused, hello = answers(line, {"id": "after", "command": "hello"})
    assert set(refused["error"]) == {"code", "message"} and refused["error"]["code"] != "internal"
    assert refused["id"] in (1, None)
    assert len(refused["error"]["message"]) < 600 and "\n" not in refused["error"]["message"]
    assert hello["id"] == "after" and "result" in hello


def test_a_line_that_is_too_long_is_skipped() -> None:
    pieces = iter([b"x" * (MOST_BYTES + 1), b"\n", b'{"id": 1, "command": "hello"}\n'])
    written: list[bytes] = []
    serve(Engine(Settings()), lines_of(lambda n: next(pieces, b"")), written.append)
    refused, hello = (json.loads(line) for line in written)
    assert refused["id"] is None and refused["error"]["code"] == "too-long"
    assert hello["id"] == 1


WORDS = st.sampled_from(["rin", "1,1", "1", "text"])


@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
@example(b"{}")
def test_any_line_gets_one_answer_or_none(line: bytes) -> None:
    line = line.replace(b"\n", b" ")
    told = answers(line)
    assert len(told) == bool(line.strip())
    refusals = ("malformed", "unknown-command") if is_object(line) else ("malformed",)
    assert all(answer["error"]["code"] in refusals for answer in told)


def is_object(line: bytes) -> bool:
    """Whether a line is a JSON object, which may be a valid request."""
    try:
        return isinstance(json.loads(line.decode()), dict)
    except ValueError:
        return False


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
FIELDS = "id game options position actions record turn seed count bot drawing komi target"


@given(
    st.sampled_from([name for name in COMMANDS if name != "quit"]),
    st.dictionaries(st.sampled_from(FIELDS.split()), values, max_size=4),
)
def test_any_request_gets_one_answer(command: str, fields: dict[str, Any]) -> None:
    (answer,) = answers({"command": command, **fields})
    assert "result" in answer or answer["error"]["code"] != "internal"


ODD = st.sampled_from(
    [None, True, -1, 0, 1.5, 10**30, "", "x" * 3000, "\x00\u202e", [], {}, [[]], {"size": 4}]
)
PARTS: dict[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from(GAMES),
    "options": st.dictionaries(st.sampled_from(["size", "players", "komi", "line"]), st.integers(0, 9)),
    "position": st.sampled_from(["4/1b2/4/4 w left_in_turn=2", "5/5/5/5/5 b", "b1/3/2 w", "4/4/4/4 b x=1"]),
    "actions": st.lists(st.sampled_from(["1,1", "a1", "c3", "pass", "xLM2", "D1", "1,1 2,1"]), max_size=3),
    "record": st.sampled_from(["(;KAKOMI[rin])", "(;GM[1]SZ[7];B[aa])", "{}", {"kakomi": 1, "game": "rin"}]),
    "turn": st.integers(0, 3),
    "seed": st.integers(0, 2**63 - 1),
    "count": st.integers(1, 3),
    "drawing": st.sampled_from(["text", "svg"]),
    "overlays": st.lists(st.sampled_from(["alive", "immune", "glow"]), max_size=2),
    "komi": st.integers(-2, 30),
    "may_swap": st.booleans(),
    "target": st.sampled_from([1, "a"]),
}
FIELD = st.sampled_from(sorted(PARTS)).flatmap(lambda name: st.tuples(st.just(name), PARTS[name] | ODD))
REQUEST = st.tuples(
    st.sampled_from([name for name in COMMANDS if name not in ("quit", "analyse", "name_komi", "games")]),
    st.lists(FIELD, max_size=5).map(dict),
)


@settings(deadline=None)
@given(st.lists(REQUEST, max_size=6))
def test_any_session_gets_clean_answers(session: list[tuple[str, dict[str, Any]]]) -> None:
    """Random sessions in the protocol's grammar, with nearly valid values, give results or proper errors."""
    asks = [{"id": n, "command": command, **fields} for n, (command, fields) in enumerate(session)]
    told = answers(*asks)
    assert sorted(answer["id"] for answer in told) == list(range(len(asks)))
    for answer in told:
        if "error" in answer:
            assert answer["error"]["code"] != "internal", answer
            assert len(answer["error"]["message"]) < 600 and "\n" not in answer["error"]["message"]
