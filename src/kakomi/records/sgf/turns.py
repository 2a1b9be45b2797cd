"""SGF's single moves as turns: one after the other by the same player make up a turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kakomi.core.i18n import lazy_message
from kakomi.records.exceptions import RecordError
from kakomi.records.replay import MOST_ACTIONS
from kakomi.records.sgf.moves import CLOCKS, PLAYERS, SECONDS
from kakomi.records.sgf.syntax import Node, number_of, unescaped
from kakomi.records.text import tidy
from kakomi.records.turn import Turn

_NOBODY = -1


@dataclass
class _Move:
    """One action on its way into a turn. Move 0 stands for the start."""

    before: int = 0
    player: int = _NOBODY
    action: str = ""
    clock: float | None = None
    seconds: float | None = None
    comments: list[str] = field(default_factory=list)
    followers: list[int] = field(default_factory=list)


def turns_of(nodes: Sequence[Node], meanings: Mapping[str, str]) -> tuple[str, tuple[Turn, ...]]:
    """The comment on the start, and the turns. `meanings` maps SGF's spelling of an action to ours.

    Raises RecordError for a move that is no action.
    """
    moves = _moves(nodes, meanings)
    return _comment(moves[:1]), _joined(moves)


def _moves(nodes: Sequence[Node], meanings: Mapping[str, str]) -> list[_Move]:
    """The moves; a comment on a node without one goes to the move before it."""
    moves = [_Move()]
    reached: list[int] = []
    for node in nodes:
        before = reached[node.before] if node.before >= 0 else 0
        move = _move(node, before, meanings)
        if move:
            moves.append(move)
            moves[before].followers.append(len(moves) - 1)
        reached.append(len(moves) - 1 if move else before)
        moves[reached[-1]].comments += [tidy(unescaped(value)) for value in _values(node, "GC", "C")]
    return moves


def _move(node: Node, before: int, meanings: Mapping[str, str]) -> _Move | None:
    played = [(player, value) for player, name in enumerate(PLAYERS) for value in _values(node, name)]
    if not played:
        return None
    if len(played) > 1:
        raise RecordError(lazy_message("broken SGF: a node holds more than one move"))
    player, value = played[0]
    action = meanings.get(unescaped(value).strip())
    if action is None:
        move = f"{PLAYERS[player]}[{value[:20]}]"
        raise RecordError(lazy_message("{move} is no action of this game on this board", move=move))
    clock, seconds = (_time(node, name) for name in (CLOCKS[player], SECONDS))
    return _Move(before, player, action, clock, seconds)


def _joined(moves: Sequence[_Move]) -> tuple[Turn, ...]:
    """The turns that moves make up. Where variations part within a turn each gets a whole turn, and what
    was said before they part stays with the first."""
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
        if actions > MOST_ACTIONS:
            raise RecordError(lazy_message("the record holds more than {most:,} actions", most=MOST_ACTIONS))
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
    """The moves after one of them, up to another."""
    line = []
    while end != before:
        line.append(moves[end])
        end = moves[end].before
    return line[::-1]


def _comment(line: Sequence[_Move]) -> str:
    """What was said at these moves and not told before."""
    said = [text for move in line for text in move.comments if text]
    for move in line:
        move.comments = []
    return "\n\n".join(said)


def _values(node: Node, *names: str) -> list[str]:
    return [value for name in names for value in node.properties.get(name, ())]


def _time(node: Node, name: str) -> float | None:
    values = _values(node, name)
    if not values:
        return None
    seconds = number_of(unescaped(values[0]))
    if seconds is None:
        value = f"{name}[{values[0][:20]}]"
        raise RecordError(lazy_message("{value} is no time in seconds", value=value))
    return seconds
