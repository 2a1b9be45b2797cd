"""Compare a game's fast rules with its slow reference in parallel play."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import kakomi
from kakomi import Position
from kakomi.core.position import position_from_key
from reference import Position as Reference
from reference import make
from sampling import is_compiled

Chooser = Callable[[Position, Reference, random.Random], str]
"""Chooses the text of a legal action."""


def any_legal(position: Position, reference: Reference, rng: random.Random) -> str:
    """Uniformly random play."""
    return rng.choice(position.legal())


def other_modes(name: str) -> list[str]:
    """The modes, other than compiled, to test a game's rules in."""
    return ["interpreted", *(["checked"] if is_compiled(name) else [])]


def compare_games(
    name: str, options: Mapping[str, Any], seeds: range, choose: Chooser = any_legal, most_plies: int = 0
) -> None:
    """Compare whole games (or their first `most_plies` actions), one per seed, at every action."""
    for seed in seeds:
        start = kakomi.game(name, **options).start()
        compare_from(start, make(name, **options), random.Random(seed), choose, most_plies)


def compare_from(
    position: Position,
    reference: Reference,
    rng: random.Random,
    choose: Chooser = any_legal,
    most_plies: int = 0,
) -> None:
    """Compare one game from a position on; occasionally continue from a rebuilt copy of the position."""
    ply = 0
    assert_agree(position, reference)
    while not position.is_over and (most_plies == 0 or ply < most_plies):
        action = choose(position, reference, rng)
        position = position.play(action)
        reference.play(action)
        ply += 1
        assert_agree(position, reference)
        if rng.random() < 0.1:
            position = rebuilt(position)
            assert_agree(position, reference)


def assert_agree(position: Position, reference: Reference) -> None:
    """Check that both agree on everything."""
    legal = position.legal_actions()
    assert legal == sorted(set(legal))
    assert set(position.legal()) == reference.legal()
    assert position.stones() == reference.stones()
    assert position.scores() == reference.scores()
    assert position.is_over == reference.is_over
    if position.is_over:
        assert position.returns() == reference.returns()
    else:
        assert position.to_move == reference.to_move


def rebuilt(position: Position) -> Position:
    """The same position from its identity fields alone, with recomputed helper fields."""
    copy = position_from_key(position.game, position.key())
    assert copy == position
    assert hash(copy) == hash(position)
    return copy
