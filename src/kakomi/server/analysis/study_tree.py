"""A study's tree: the positions at its nodes, and its turns as they are listed.

Nodes are the numbers of the record's turns, 0 for the start. The list is the main line, interrupted by its
variations.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, start_of
from kakomi.session import Refused

DEEPEST = 6
"""Variations of variations are set in so far, and no further."""


def actions_to(record: Record, node: int) -> tuple[str, ...]:
    """What was played from the start to a node."""
    return tuple(text for number in record.tree.line_to(node) for text in record.turns[number - 1].actions)


def position_at(record: Record, game: Game, node: int) -> Position:
    """The position after a turn. Raises Refused for a node that isn't there."""
    if not 0 <= node <= len(record.turns):
        raise Refused(
            lazy_message(
                "there is no turn {node} in this study: it has {turns}", node=node, turns=len(record.turns)
            )
        )
    position = start_of(record, game)
    for text in actions_to(record, node):
        position = position.play(text)
    return position


def turn_numbers(record: Record, game: Game, node: int, position: Position) -> dict[str, str]:
    """On every stone that still stands, or cell that was touched last, the turn in which that was."""
    return dict(_numbered(record, game, node, position.stones()))


def _numbered(record: Record, game: Game, node: int, stones: dict[str, int]) -> Iterator[tuple[str, str]]:
    for turn, number in enumerate(record.tree.line_to(node), 1):
        for text in record.turns[number - 1].actions:
            target = game.actions[game.action(text)].target
            if target in stones:
                yield target, str(turn)


@dataclass(frozen=True)
class Move:
    """A turn in the list, and where the arrow keys lead from it."""

    node: int
    turn: int
    """How many turns lead here, this one included."""
    player: int
    text: str
    has_comment: bool
    before: int
    next: int | None
    """The first turn that follows."""
    above: int | None
    """The sibling that is listed before this one."""
    below: int | None


@dataclass(frozen=True)
class Block:
    """Turns one after the other."""

    depth: int
    """0 for the main line."""
    begins: int
    """The turn that it begins with, counted along its line."""
    moves: tuple[Move, ...]
    continues: bool
    """Whether it goes on with a line that variations have interrupted."""

    @property
    def indent(self) -> int:
        """How far it is set in."""
        return min(self.depth, DEEPEST)


def blocks(record: Record) -> list[Block]:
    """All turns in reading order. Numbers stand in for recursion: records may be thousands of turns deep."""
    moves = moves_of(record)
    found = []
    begun: set[int] = set()
    followers, before = record.tree.followers, record.tree.before
    waiting = [(followers[0][0], 0)] if followers[0] else []
    while waiting:
        node, depth = waiting.pop()
        run, rest = _run(record, node)
        leads = followers[before[node]][0] == node
        continues = before[node] in begun and leads
        begun.update(run)
        found.append(Block(depth, moves[node].turn, tuple(moves[number] for number in run), continues))
        last = run[-1]
        waiting += [(number, depth) for number in rest]
        if followers[before[last]][0] == last:
            waiting += [(number, depth + 1) for number in reversed(followers[before[last]][1:])]
    return found


def _run(record: Record, node: int) -> tuple[list[int], list[int]]:
    """Turns from one on, up to the first that has variations beside it, and what comes after those."""
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


def moves_of(record: Record) -> dict[int, Move]:
    """Every turn by its number."""
    return {move.node: move for move in _moves(record)}


def _moves(record: Record) -> Iterator[Move]:
    tree = record.tree
    turns = [0]
    for number, turn in enumerate(record.turns, 1):
        before = tree.before[number]
        turns.append(turns[before] + 1)
        siblings = tree.followers[before]
        place = siblings.index(number)
        yield Move(
            node=number,
            turn=turns[number],
            player=turn.player,
            text=" ".join(turn.actions),
            has_comment=bool(turn.comment),
            before=before,
            next=tree.followers[number][0] if tree.followers[number] else None,
            above=siblings[place - 1] if place else None,
            below=siblings[place + 1] if place + 1 < len(siblings) else None,
        )
