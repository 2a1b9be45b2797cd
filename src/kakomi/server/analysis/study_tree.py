"""A study's tree: the positions at its nodes, and its list of moves.

Nodes are the numbers of the record's turns; 0 is the start. The list is the main line, interrupted by its
variations.
"""

from dataclasses import dataclass

from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, positions, start_of
from kakomi.session import Refused

DEEPEST = 6
"""The largest indent of nested variations."""


def actions_to(record: Record, node: int) -> tuple[str, ...]:
    """The actions from the start to a node."""
    return tuple(text for number in record.tree.line_to(node) for text in record.turns[number - 1].actions)


def position_at(record: Record, game: Game, node: int) -> Position:
    """The position at a node. Raises `Refused` for a node that doesn't exist."""
    if not 0 <= node <= len(record.turns):
        raise Refused(
            lazy_message(
                "there is no move {node} in this study: it has {turns}", node=node, turns=len(record.turns)
            )
        )
    position = start_of(record, game)
    for text in actions_to(record, node):
        position = position.play(text)
    return position


def turn_numbers(record: Record, game: Game, node: int, position: Position) -> dict[str, str]:
    """Place -> number of the turn that placed its stone or last touched it, along the line to `node`."""
    stones, numbers = position.stones(), dict[str, str]()
    for turn, number in enumerate(record.tree.line_to(node), 1):
        for text in record.turns[number - 1].actions:
            target = game.actions[game.action(text)].target
            if target in stones:
                numbers[target] = str(turn)
    return numbers


@dataclass(frozen=True)
class Move:
    """A turn in the list, and where the arrow keys go from it."""

    node: int
    turn: int
    """Its number along its line, from 1."""
    player: int
    text: str
    gain: str
    """What it scores, such as `+2`, where the list shows it."""
    has_comment: bool
    before: int
    next: int | None
    """The first turn that follows; None at the end of a line."""
    above: int | None
    """The sibling listed before it, if any."""
    below: int | None
    """The sibling listed after it, if any."""


@dataclass(frozen=True)
class Block:
    """Consecutive turns of a line."""

    depth: int
    """0 for the main line."""
    begins: int
    """The number of its first turn along its line."""
    moves: tuple[Move, ...]

    @property
    def indent(self) -> int:
        """The indent of the block."""
        return min(self.depth, DEEPEST)


def blocks(record: Record, game: Game | None = None) -> list[Block]:
    """All turns in reading order. Uses a stack, not recursion: records may be thousands of turns deep."""
    moves = moves_of(record, game)
    found = []
    followers, before = record.tree.followers, record.tree.before
    waiting = [(followers[0][0], 0)] if followers[0] else []
    while waiting:
        node, depth = waiting.pop()
        run, rest = _run(record, node)
        found.append(Block(depth, moves[node].turn, tuple(moves[number] for number in run)))
        last = run[-1]
        waiting += [(number, depth) for number in rest]
        if followers[before[last]][0] == last:
            waiting += [(number, depth + 1) for number in reversed(followers[before[last]][1:])]
    return found


def _run(record: Record, node: int) -> tuple[list[int], list[int]]:
    """The turns from `node` up to the first with variations beside it, and the turn that follows it."""
    followers, before = record.tree.followers, record.tree.before
    run = []
    while True:
        run.append(node)
        siblings = followers[before[node]]
        if siblings[0] == node and len(siblings) > 1:
            return run, followers[node][:1]
        if not followers[node]:
            return run, []
        node = followers[node][0]


def moves_of(record: Record, game: Game | None = None) -> dict[int, Move]:
    """Turn number -> move. With its game, moves have their gains if lists of moves show them."""
    known = dict(positions(record, game)) if game and game.description.lists_gains else {}
    tree, turns = record.tree, [0]
    moves: dict[int, Move] = {}
    for number, turn in enumerate(record.turns, 1):
        before = tree.before[number]
        turns.append(turns[before] + 1)
        siblings = tree.followers[before]
        gains = known[before].gains([known[before].game.action(a) for a in turn.actions]) if known else ()
        place = siblings.index(number)
        moves[number] = Move(
            node=number,
            turn=turns[number],
            player=turn.player,
            text=" ".join(turn.actions),
            gain=" ".join(gains),
            has_comment=bool(turn.comment),
            before=before,
            next=tree.followers[number][0] if tree.followers[number] else None,
            above=siblings[place - 1] if place else None,
            below=siblings[place + 1] if place + 1 < len(siblings) else None,
        )
    return moves
