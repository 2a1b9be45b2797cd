"""Reading SGF files as records: our own, and those of other programs if the game is given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records.check import checked
from kakomi.records.json_form import read_json
from kakomi.records.record import (
    Reading,
    Record,
    RecordError,
    Seat,
    Turn,
    located,
    reason_of,
    tidy,
    tidy_line,
)
from kakomi.records.replay import FindGame, game_of
from kakomi.records.sgf.syntax import Node, Properties, decoded, number_of, parse, unescaped
from kakomi.records.sgf.values import CLOCKS, PLAYERS, SECONDS, meanings, require_sgf_game, result_read
from kakomi.records.sgf.writing import RECORD_PROPERTY

_NOBODY = -1


@dataclass
class _Move:
    """One action, before it is joined to a turn. Move 0 stands for the start."""

    before: int = 0
    player: int = _NOBODY
    action: str = ""
    clock: float | None = None
    seconds: float | None = None
    comments: list[str] = field(default_factory=list)
    followers: list[int] = field(default_factory=list)


def turns_of(
    nodes: Sequence[Node], meanings: Mapping[str, str], reading: Reading
) -> tuple[str, tuple[Turn, ...]]:
    """Return the comment on the start, and the turns. `meanings` maps SGF's spelling of an action to ours.

    Raises RecordError for a move that isn't an action of the game.
    """
    moves = _moves(nodes, meanings, reading)
    return _comment(moves[:1]), _joined(moves, reading)


def _moves(nodes: Sequence[Node], meanings: Mapping[str, str], reading: Reading) -> list[_Move]:
    """Return the moves; a comment on a node without a move goes to the move before it."""
    moves = [_Move()]
    reached: list[int] = []
    for node in nodes:
        before = reached[node.before] if node.before >= 0 else 0
        move = _move(node, before, meanings)
        if move:
            reading.expect_actions(len(moves))
            moves.append(move)
            moves[before].followers.append(len(moves) - 1)
        reached.append(len(moves) - 1 if move else before)
        for name in ("GC", "C"):
            if name in node.properties:
                moves[reached[-1]].comments += [tidy(unescaped(value)) for value in node.properties[name]]
    return moves


def _move(node: Node, before: int, meanings: Mapping[str, str]) -> _Move | None:
    played = [
        (player, value) for player, name in enumerate(PLAYERS) for value in node.properties.get(name, ())
    ]
    if not played:
        return None
    if len(played) > 1:
        raise RecordError(lazy_message("invalid SGF: a node has more than one move"))
    player, value = played[0]
    action = meanings.get(unescaped(value).strip())
    if action is None:
        move = f"{PLAYERS[player]}[{value[:20]}]"
        raise RecordError(lazy_message("{move} isn't a move of this game on this board", move=move))
    clock, seconds = (_time(node, name) for name in (CLOCKS[player], SECONDS))
    return _Move(before, player, action, clock, seconds)


def _joined(moves: Sequence[_Move], reading: Reading) -> tuple[Turn, ...]:
    """Join moves to turns. Variations that branch within a turn each get a whole turn; the first one keeps
    the comments from before the branch."""
    turns: list[Turn] = []
    number_of = {0: 0}
    opened = [0] * len(moves)
    actions = 0
    for end, move in enumerate(moves[1:], 1):
        continues = moves[move.before].player == move.player
        opened[end] = opened[move.before] if continues else move.before
        if move.followers and all(moves[number].player == move.player for number in move.followers):
            continue
        line = _back_to(opened[end], end, moves)
        actions += len(line)
        reading.expect_actions(actions)
        turns.append(
            Turn(
                after=number_of[opened[end]],
                player=move.player,
                actions=tuple(played.action for played in line),
                clock=move.clock,
                seconds=move.seconds,
                comment=_comment(line),
            )
        )
        number_of[end] = len(turns)
    return tuple(turns)


def _back_to(before: int, end: int, moves: Sequence[_Move]) -> list[_Move]:
    """Return the moves after `before` up to `end`."""
    line = []
    while end != before:
        line.append(moves[end])
        end = moves[end].before
    return line[::-1]


def _comment(line: Sequence[_Move]) -> str:
    """Join and remove the comments of these moves, so that no later turn repeats them."""
    said = [text for move in line for text in move.comments if text]
    for move in line:
        move.comments = []
    return "\n\n".join(said)


def _time(node: Node, name: str) -> float | None:
    if not (values := node.properties.get(name)):
        return None
    seconds = number_of(unescaped(values[0]))
    if seconds is None:
        value = f"{name}[{values[0][:20]}]"
        raise RecordError(lazy_message("{value} isn't a time in seconds", value=value))
    return seconds


_SETUP = {"AB", "AW", "AE"}


def read_sgf(
    data: bytes, find_game: FindGame, name: str = "", reading: Reading | None = None, /, **options: Any
) -> Record:
    """Read a record from an SGF file and check it against the rules.

    `name` and `options` give the game for files of other programs, which don't contain it; size and komi
    are taken from the file. Markup is ignored. Raises RecordError.
    """
    reading = reading or Reading()
    nodes = parse(decoded(data, reading), reading)
    for node in nodes:
        if found := _SETUP & node.properties.keys():
            raise located(found.pop(), lazy_message("stones set up before play can't be part of a record"))
    root = nodes[0].properties
    record = _agreements(root, find_game, name, options, reading)
    game = game_of(record, find_game)
    require_sgf_game(game)
    _check_board(root, game)
    comment, turns = turns_of(nodes, meanings(game), reading)
    record = replace(record, comment=comment, turns=turns)
    told = _line(root, "RE").strip()
    return checked(record, game, reading, lambda end: result_read(told, end, record.length, reading))


def _agreements(
    root: Properties, find_game: FindGame, name: str, options: dict[str, Any], reading: Reading
) -> Record:
    """Return a record without turns: the game, options and players from the root."""
    if RECORD_PROPERTY in root:
        record = read_json(unescaped(root[RECORD_PROPERTY][0]).encode(), reading)
    elif name:
        record = Record(game=name, options=_options(root, find_game, name, options))
    else:
        raise RecordError(lazy_message("this SGF file doesn't say which game it is: name the game"))
    return replace(record, seats=_seats(record, root), event=_line(root, "EV"), date=_line(root, "DT"))


def _seats(record: Record, root: Properties) -> tuple[Seat, ...]:
    """Return the players, with the names from the root."""
    if not {"PB", "PW"} & root.keys() or len(record.seats) not in (0, 2):
        return record.seats
    black, white = record.seats or (Seat(), Seat())
    return replace(black, name=_line(root, "PB")), replace(white, name=_line(root, "PW"))


def _options(root: Properties, find_game: FindGame, name: str, options: dict[str, Any]) -> dict[str, int]:
    """Return all options of a game, from another program's file and the given ones."""
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
    """Check the standard properties for game, size and komi, if present."""
    number, size, komi = (_line(root, name).strip() for name in ("GM", "SZ", "KM"))
    if number not in ("", "1", str(game.description.sgf_number)):  # editors write 1, for Go
        raise located(f"GM[{number[:20]}]", lazy_message("this is not the number of {game}", game=game.name))
    if size not in ("", str(game.geometry.size)):
        raise located(f"SZ[{size[:20]}]", lazy_message("the board has size {size}", size=game.geometry.size))
    agreed = game.options.get(game.description.komi_option, 0)
    if komi and number_of(komi) != agreed:
        raise located(f"KM[{komi[:20]}]", lazy_message("the komi is {komi} in this game", komi=agreed))


def _line(root: Properties, name: str) -> str:
    return tidy_line(unescaped(root[name][0])) if name in root else ""
