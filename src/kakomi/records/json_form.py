"""Records as JSON: one line per field and per turn, read strictly."""

import re
from contextlib import suppress
from typing import Any

import msgspec

from kakomi.core.i18n import lazy_message
from kakomi.records.record import IN_WORDS, VERSION, Reading, Record, RecordError, located

_PLACE = re.compile(r" - at `(?:key` in `)?\$\.?(.*)`$", re.DOTALL)
_FORMAT = "kakomi_record"


class _Size(msgspec.Struct):
    """A turn's actions, undecoded, for counting them first."""

    actions: list[msgspec.Raw] = []


class _Sizes(msgspec.Struct):
    turns: list[_Size] = []


class _Head(msgspec.Struct):
    """The field that identifies the format and its version."""

    kakomi_record: int


def read_json(data: bytes, reading: Reading | None = None) -> Record:
    """Read a record from a JSON document, without checking it against the rules (`checked`).

    Raises RecordError with the place in the document, such as `turns[12].actions[0]`.
    """
    try:
        _check_version(msgspec.json.decode(data, type=_Head).kakomi_record)
        with suppress(msgspec.ValidationError):
            counted = msgspec.json.decode(data, type=_Sizes).turns
            (reading or Reading()).expect_actions(sum(len(turn.actions) for turn in counted))
        return msgspec.json.decode(data, type=Record)
    except msgspec.ValidationError as error:
        raise _located(error) from None
    except msgspec.DecodeError as error:
        what = str(error).removeprefix("JSON is malformed: ")
        raise RecordError(lazy_message("invalid JSON: {what}", what=what)) from None
    except UnicodeDecodeError:
        raise RecordError(lazy_message("invalid JSON: it isn't UTF-8")) from None
    except RecursionError:
        raise RecordError(lazy_message("not a game record: its brackets are nested too deeply")) from None


def _check_version(version: int) -> None:
    if version != VERSION:
        raise located(
            _FORMAT,
            lazy_message(
                "version {version} of the format isn't supported, only {known}",
                version=version,
                known=VERSION,
            ),
        )


def write_json(record: Record) -> bytes:
    """Write a record as JSON. Raises RecordError if a field has an invalid value."""
    fields = msgspec.to_builtins(validated(record))
    lines = [f'  "{name}": {_value(name, value)}' for name, value in fields.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def in_a_line(record: Record) -> str:
    """Write a record as JSON in one line. Raises RecordError as `write_json` does."""
    return _compact(msgspec.to_builtins(validated(record)))


def validated(record: Record) -> Record:
    """Return the same record. Raises RecordError with the field if one has an invalid value."""
    try:
        return msgspec.convert(msgspec.to_builtins(record), Record)
    except msgspec.ValidationError as error:
        raise _located(error) from None


def schema() -> dict[str, Any]:
    """Return the JSON schema of the format (`docs/record.schema.json`)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Record)}


def _value(name: str, value: Any) -> str:
    if name != "turns":
        return _compact(value)
    return "[\n" + ",\n".join(f"    {_compact(turn)}" for turn in value) + "\n  ]"


def _compact(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def _located(error: msgspec.ValidationError) -> RecordError:
    """Convert an error of msgspec to a RecordError: `turns[3].player: expected int, got str`."""
    if isinstance(error.__cause__, RecordError):
        return error.__cause__
    place, reason = _PLACE.search(str(error)), _reason(_PLACE.sub("", str(error)).replace("`", ""))
    if place and place[1]:
        return located(place[1], reason)
    return RecordError(lazy_message("not a game record: {reason}", reason=reason))


def _reason(words: str) -> str:
    """Make the frequent parts of msgspec's messages translatable."""
    words = words[:1].lower() + words[1:]
    for pattern, meaning in IN_WORDS.items():
        words = words.replace(f"str matching regex {pattern!r}", meaning)
    if found := re.fullmatch(r"expected (.*), got (.*)", words, re.DOTALL):
        return lazy_message("expected {wanted}, got {given}", wanted=lazy_message(found[1]), given=found[2])
    if found := re.fullmatch(r"expected (.*)", words, re.DOTALL):
        return lazy_message("expected {wanted}", wanted=lazy_message(found[1]))
    if found := re.fullmatch(r"object missing required field (.*)", words):
        return lazy_message("object missing required field {field}", field=found[1])
    if found := re.fullmatch(r"object contains unknown field (.*)", words):
        return lazy_message("object contains unknown field {field}", field=found[1])
    return words
