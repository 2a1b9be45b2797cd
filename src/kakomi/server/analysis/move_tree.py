"""A study's tree as it is listed: the main line, interrupted by its variations."""

from collections.abc import Iterator
from dataclasses import dataclass

from kakomi.records import Record

DEEPEST = 6
"""Variations of variations are set in so far, and no further."""


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
