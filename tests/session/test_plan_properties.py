"""Random plans in random games of all kinds, compared with a reference that replays every line."""

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

import kakomi
from kakomi.core import Position
from kakomi.session import Entry, MatchConfig, Plan, Seat, Table, follow
from kakomi.session.plans import walk

GAMES = [
    ("rin", {"size": 4}),
    ("ren", {"size": 4}),
    ("lin", {"size": 5}),
    ("rive", {"size": 2}),
    ("rings", {"size": 2, "players": 2}),
    ("rings", {"size": 2, "players": 4}),
]
Line = list[tuple[int, tuple[str, ...]]]


def whole_turn(table: Table, draw: random.Random) -> tuple[str, ...]:
    """A random turn of the seat to act."""
    position, turn = table.match.position, []
    seat = table.to_act
    while True:
        turn.append(draw.choice(position.legal()))
        table = table.apply(Entry(seat, "play", turn[-1], table.at))
        position = table.match.position
        if table.is_over or not position.turn:
            return tuple(turn)


def after(table: Table, turn: Sequence[str]) -> Table:
    seat = table.to_act
    for text in turn:
        table = table.apply(Entry(seat, "play", text, table.at))
    return table


def random_plan(table: Table, owner: int, draw: random.Random) -> Plan:
    plan, waiting = Plan.begun(table, owner), [((), table)]
    while waiting and plan.turns < 25:
        path, there = waiting.pop(0)
        if there.is_over or len(path) > 5:
            continue
        for _ in range(1 if there.to_act == owner else draw.randint(1, 3)):
            turn = whole_turn(there, draw)
            before = plan
            plan, behind = plan.with_turn(table, path, turn)
            if plan is not before:
                waiting.append((behind, after(there, turn)))
    return plan


def expected(lines: list[Line], begin: Table, owner: int, played: Line) -> tuple[bool, tuple[str, ...]]:
    """Whether a plan still includes the turns played, and its answer, by replaying every line."""
    fitting = [
        line for line in lines if reached(begin, line, len(played)) == reached(begin, played, len(played))
    ]
    longer = [line for line in fitting if len(line) > len(played)]
    now = begin
    for _, turn in played:
        now = after(now, turn)
    if now.is_over or not longer:
        return False, ()
    is_due = bool(played) and played[-1][0] != owner and now.to_act == owner
    return True, longer[0][len(played)][1] if is_due else ()


def reached(begin: Table, line: Line, length: int) -> list[Position] | None:
    """The positions after the first turns of a line, or None if it is shorter."""
    if len(line) < length:
        return None
    positions = []
    for _, turn in line[:length]:
        begin = after(begin, turn)
        positions.append(begin.match.position)
    return positions


def shuffled(table: Table, turn: tuple[str, ...], draw: random.Random) -> tuple[str, ...]:
    """The same turn in random order, if the rules allow that order."""
    other = tuple(draw.sample(turn, len(turn)))
    try:
        return other if after(table, other).match.position == after(table, turn).match.position else turn
    except ValueError:
        return turn


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_plans_are_followed_as_by_replaying_them(kind: tuple[str, dict[str, int]], seed: int) -> None:
    draw = random.Random(seed)
    game = kakomi.game(kind[0], **kind[1])
    table = Table.begun(MatchConfig(game), [Seat(str(seat)) for seat in range(game.players)], at=1.0)
    for _ in range(draw.randint(0, 6)):
        if not table.is_over:
            table = after(table, whole_turn(table, draw))
    if table.is_over:
        return
    owner, begin = draw.randrange(game.players), table
    plan = random_plan(table, owner, draw)
    lines = [[(each.seat, each.turn) for each in plan.line(path)] for path, _ in walk(plan.branches)]
    played: Line = []
    while not table.is_over:
        ahead = [branch.turn for branch in plan.branches]
        turn = draw.choice(ahead) if ahead and draw.random() < 0.9 else whole_turn(table, draw)
        turn = shuffled(table, turn, draw)
        for text in turn[:-1]:  # in parts, as without confirmation
            played_by = table.to_act
            table = table.apply(Entry(played_by, "play", text, table.at))
            progress = follow(plan, table)
            assert (progress.answer, progress.end) == ((), None)
            plan = progress.plan
        seat = table.to_act
        table = after(table, turn[-1:])
        played.append((seat, turn))
        progress = follow(plan, table)
        holds, answer = expected(lines, begin, owner, played)
        assert (progress.end is None, progress.answer) == (holds, answer)
        if progress.end is not None:
            return
        plan = progress.plan
        if answer:
            table = after(table, answer)
            played.append((owner, answer))
            progress = follow(plan, table)
            assert (progress.end is None) == expected(lines, begin, owner, played)[0]
            if progress.end is not None:
                return
            plan = progress.plan
