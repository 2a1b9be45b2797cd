"""SGF text as records: ours, and those of other programs when told the game."""

import codecs
import re
from typing import Any

from msgspec.structs import replace

from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records.check import checked
from kakomi.records.exceptions import RecordError, located, reason_of
from kakomi.records.json_form import read_json
from kakomi.records.record import Record, Seat
from kakomi.records.replay import FindGame, game_of, position_after
from kakomi.records.sgf.moves import meanings, require_sgf_game
from kakomi.records.sgf.results import result_read
from kakomi.records.sgf.syntax import Properties, number_of, parse, unescaped
from kakomi.records.sgf.turns import turns_of
from kakomi.records.sgf.writing import OURS
from kakomi.records.text import tidy_line

_ENCODING = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_ENCODINGS = {"utf-8", "ascii", "iso8859-1", "cp1252", "gb2312", "gbk", "gb18030", "big5", "shift_jis"}
_SETUP = {"AB", "AW", "AE"}


def read_sgf(data: bytes, find_game: FindGame, name: str = "", /, **options: Any) -> Record:
    """The record that an SGF file holds, checked by the rules.

    `name` and `options` say which game it is if the file doesn't, as only ours do; the size and the komi
    are taken from the file. Markup is left out. Raises RecordError.
    """
    nodes = parse(_decoded(data))
    for node in nodes:
        if found := _SETUP & node.properties.keys():
            raise located(found.pop(), lazy_message("stones set up before play can't be part of a record"))
    root = nodes[0].properties
    record = _agreements(root, find_game, name, options)
    game = game_of(record, find_game)
    require_sgf_game(game)
    _check_board(root, game)
    comment, turns = turns_of(nodes, meanings(game))
    record = replace(record, comment=comment, turns=turns)
    result, resignations = result_read(_line(root, "RE").strip(), position_after(record, game), record.length)
    return checked(replace(record, result=result, resignations=resignations), game)


def _decoded(data: bytes) -> str:
    named = _ENCODING.search(data[:1000])
    candidates = [_encoding(named[1].decode())] if named else ["utf-8", "iso8859-1"]
    for encoding in candidates:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    said = candidates[0].upper()
    raise RecordError(
        lazy_message("broken SGF: some of it isn't {encoding}, which it says it is", encoding=said)
    )


def _encoding(name: str) -> str:
    try:
        encoding = codecs.lookup(name).name
    except LookupError:
        encoding = ""
    if encoding not in _ENCODINGS:
        raise located(f"CA[{name}]", lazy_message("this character set isn't known here; UTF-8 is"))
    return encoding


def _agreements(root: Properties, find_game: FindGame, name: str, options: dict[str, Any]) -> Record:
    """A record without turns: what the root says of the game, its options and its players."""
    if OURS in root:
        record = read_json(unescaped(root[OURS][0]).encode())
    elif name:
        record = Record(game=name, options=_options(root, find_game, name, options))
    else:
        raise RecordError(lazy_message("this SGF file doesn't say which game it is of: name the game"))
    return replace(record, seats=_seats(record, root), event=_line(root, "EV"), date=_line(root, "DT"))


def _seats(record: Record, root: Properties) -> tuple[Seat, ...]:
    """Who played, with the names that everybody's properties tell."""
    if not {"PB", "PW"} & root.keys() or len(record.seats) not in (0, 2):
        return record.seats
    black, white = record.seats or (Seat(), Seat())
    return replace(black, name=_line(root, "PB")), replace(white, name=_line(root, "PW"))


def _options(root: Properties, find_game: FindGame, name: str, options: dict[str, Any]) -> dict[str, int]:
    """All options of a game that another program's file is said to be of."""
    try:
        about = find_game(name).description
        given = {"size": _line(root, "SZ").strip(), about.komi_option: number_of(_line(root, "KM"))}
        known = {option.name for option in about.options}
        found = {
            option: value for option, value in given.items() if value not in ("", None) and option in known
        }
        return dict(find_game(name, **{**found, **options}).options)
    except ValueError as error:
        raise RecordError(reason_of(error)) from None


def _check_board(root: Properties, game: Game) -> None:
    """Size and komi as everybody's properties tell them, if they do."""
    number, size, komi = (_line(root, name).strip() for name in ("GM", "SZ", "KM"))
    if number not in ("", "1", str(game.description.sgf_number)):  # Go's 1 is what an editor puts in
        raise located(f"GM[{number[:20]}]", lazy_message("this is not the number of {game}", game=game.name))
    if size not in ("", str(game.geometry.size)):
        raise located(f"SZ[{size[:20]}]", lazy_message("the board has size {size}", size=game.geometry.size))
    agreed = game.options.get(game.description.komi_option, 0)
    if komi and number_of(komi) != agreed:
        raise located(f"KM[{komi[:20]}]", lazy_message("the komi is {komi} in this game", komi=agreed))


def _line(root: Properties, name: str) -> str:
    return tidy_line(unescaped(root[name][0])) if name in root else ""
