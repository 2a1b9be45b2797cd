"""A game's fast rules and its slow reference, played side by side."""

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
"""Picks the text of a legal action."""


def any_legal(position: Position, reference: Reference, rng: random.Random) -> str:
    """Uniformly random play."""
    return rng.choice(position.legal())


def other_modes(name: str) -> list[str]:
    """How a game's rules run besides compiled."""
    return ["interpreted", *(["checked"] if is_compiled(name) else [])]


def compare_games(
    name: str, options: Mapping[str, Any], seeds: range, choose: Chooser = any_legal, most_plies: int = 0
) -> None:
    """Whole games (or their first `most_plies` actions), one a seed, compared at every action."""
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
    """One game from a position on; now and then it goes on from a rebuilt copy of the position."""
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
    """All that both know is the same."""
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
    """The same position from its identity fields alone, helper fields worked out afresh."""
    copy = position_from_key(position.game, position.key())
    assert copy == position
    assert hash(copy) == hash(position)
    return copy
