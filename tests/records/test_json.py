"""Records as JSON."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakomi
from damage import check_read_or_refused, damaged, few_examples
from kakomi.core import Game
from kakomi.records import (
    Record,
    RecordError,
    Turn,
    load,
    read,
    read_json,
    write,
    write_json,
)
from kakomi.records.files import MOST_BYTES
from kakomi.records.json_form import schema
from recorded_games import random_record
from records.small_records import RIN, by_game, turn

DOCS = Path(__file__).resolve().parents[2] / "docs"
GOLDEN = Path(__file__).resolve().parent / "golden"


@by_game
@pytest.mark.parametrize("seed", range(8))
def test_json_holds_all_of_a_random_record(game: Game, seed: int) -> None:
    record = random_record(game, seed)
    assert read(write(record, game, "json"), kakomi.game) == record
    assert write_json(read_json(write_json(record))) == write_json(record)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_golden_files_are_read_and_written_as_ever(path: Path) -> None:
    record = load(path, kakomi.game)
    game = kakomi.game(record.game, **record.options)
    assert write(record, game, "json") == path.read_bytes()
    assert list(json.loads(path.read_bytes()))[:2] == ["kakomi_record", "game"]


GOOD = b"""\
{"kakomi_record": 1, "game": "rin", "options": {"size": 4}, "turns": [{"player": 0, "actions": ["0,0"]}]}"""


def read_error(data: bytes) -> str:
    with pytest.raises(RecordError) as error:
        read(data, kakomi.game)
    message = str(error.value)
    assert message.isprintable() and len(message) < 500
    return message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"0,0"', b"7", "turns[0].actions[0]: expected str, got int"),
        (b'"0,0"', b'"0 0"', "turns[0].actions[0]: expected a word, without spaces"),
        (b'["0,0"]', b"[]", "turns[0].actions: expected array of length >= 1"),
        (b'"player": 0', b'"player": -1', "turns[0].player: expected int >= 0"),
        (b'"player": 0', b'"player": true', "turns[0].player: expected int, got bool"),
        (b'"player": 0', b'"clock": 1e999', "turns[0].clock"),
        (b'"player": 0', b'"clock": NaN', "invalid JSON: invalid character"),
        (
            b'"player": 0',
            b'"after": 5, "player": 0',
            "turns[0].after: 5 isn't an earlier turn",
        ),
        (b'"player": 0, ', b"", "turns[0]: object missing required field player"),
        (b'"player"', b'"plyer"', "turns[0]: object contains unknown field plyer"),
        (b'"turns"', b'"trns"', "not a game record: object contains unknown field trns"),
        (b'"game": "rin", ', b"", "not a game record: object missing required field game"),
        (b'"kakomi_record": 1, ', b"", "not a game record: object missing required field kakomi_record"),
        (
            b'"kakomi_record": 1',
            b'"kakomi_record": 2',
            "kakomi_record: version 2 of the format isn't supported, only 1",
        ),
        (b'"rin"', b'"go"', "there is no game 'go'"),
        (b'"rin"', b'"r\\u001b[2Jn"', "game: expected a word, without spaces"),
        (b'"size"', b'"siz"', "rin has no option 'siz'"),
        (b"4}", b"5}", "size 5 isn't possible in rin"),
        (b"4}", b"1" + b"0" * 6000 + b"}", "integer value out of range"),
        (b"]}]}", b"]}", "truncated"),
        (b"]}]}", b"]}]} x", "invalid JSON: trailing characters"),
        (b"rin", b"r\xffn", "invalid JSON: it isn't UTF-8"),
        (b"rin", b"r\\ud800n", "invalid JSON"),
        (b'{"k', b"[", "not a game record"),
        (b'{"k', b"\x00\x01", "not a game record: JSON begins with { and SGF with ("),
        (GOOD, b"", "the file is empty"),
        (GOOD, b"null", "not a game record"),
    ],
)
def test_bad_json_is_refused_with_the_place(old: bytes, new: bytes, message: str) -> None:
    assert old in GOOD
    assert message in read_error(GOOD.replace(old, new))


def test_a_byte_order_mark_and_spaces_before_a_record_do_no_harm() -> None:
    assert read(b"\xef\xbb\xbf \n" + GOOD, kakomi.game) == read(GOOD, kakomi.game)


@pytest.mark.parametrize(
    "bomb",
    [
        b"[" * 1_000_000,
        b'{"a":' * 1_000_000,
        b'{"kakomi_record":1,"turns":' + b"[" * 1_000_000,
        b'{"kakomi_record":' + b"9" * 1_000_000 + b"}",
        b'{"kakomi_record":1,"game":"rin","result":{"reason":"' + b"x" * 1_000_000 + b'"}}',
        b'{"kakomi_record":1,"game":"rin","\\u001b' + b"x" * 1_000_000 + b'":1}',
        b'{"kakomi_record":1,"game":"rin","turns":[' + b"{}," * 1_000_000 + b"{}]}",
        b"\x00" * 1_000_000,
        b" " * (MOST_BYTES + 1),
    ],
    ids=["brackets", "objects", "turns", "digits", "reason", "field", "empty turns", "zeros", "long"],
)
def test_bombs_get_one_clear_line(bomb: bytes) -> None:
    read_error(bomb)


@pytest.mark.parametrize(("name", "options"), [("lin", {}), ("rin", {"size": 8})])
def test_a_record_of_another_game_than_was_asked_for_is_refused(name: str, options: dict) -> None:
    with pytest.raises(RecordError, match="the record "):
        read(GOOD, kakomi.game, name, **options)
    assert read(GOOD, kakomi.game, "rin", size="4") == read(GOOD, kakomi.game)


@pytest.mark.parametrize(
    "fields",
    [
        {"comment": "a\x1b[2J"},
        {"event": "two\nlines"},
        {"comment": "\ud800"},
        {"turns": (turn(0, "a", clock=float("nan")),)},
        {"turns": (turn(0, "a", clock=-1.0),)},
        {"turns": (turn(0, ""),)},
        {"turns": (Turn(player=0, actions=()),)},
        {"options": {"size": "4"}},
    ],
)
def test_what_could_not_be_read_again_is_not_written(fields: dict) -> None:
    with pytest.raises(RecordError):
        write_json(Record(**{"game": "rin", **fields}))


def test_the_example_in_the_docs_is_a_record() -> None:
    example = (DOCS / "records.md").read_text(encoding="utf-8").split("```json\n")[1].split("```")[0].encode()
    assert write_json(read(example, kakomi.game)) == example


def test_the_schema_in_the_docs_is_that_of_the_code() -> None:
    assert json.loads((DOCS / "record.schema.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(schema())
    )


@few_examples
@given(
    st.one_of(
        st.binary(max_size=200), st.binary(max_size=200).map(lambda b: b"{" + b), st.text().map(str.encode)
    )
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data)


@few_examples
@given(damaged(write_json(random_record(RIN, 3))))
def test_a_damaged_json_record_is_read_or_refused(data: bytes) -> None:
    check_read_or_refused(data)
