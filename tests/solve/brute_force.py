"""Plain minimax over the slow references, without tables, symmetries, bounds or code of the package."""

import random
from collections.abc import Mapping

from reference import Position, make


def value(position: Position, seat: int, most_plies: int = -1) -> int:
    """The margin of a seat over the best other one, with play cut off after `most_plies` plies (-1:
    never)."""
    if position.is_over or most_plies == 0:
        scores = position.scores()
        return scores[seat] - max(score for player, score in enumerate(scores) if player != seat)
    values = [value(after(position, action), seat, most_plies - 1) for action in position.legal()]
    return max(values) if position.to_move == seat else min(values)


def after(position: Position, action: str) -> Position:
    following = position.copy()
    following.play(action)
    return following


def late_game(name: str, options: Mapping[str, int], seed: int, most_leaves: int) -> list[str]:
    """The actions of a random game up to where fewer than `most_leaves` continuations are left, without early
    passes."""
    rng = random.Random(f"{name} {seed}")
    while True:
        position, actions, positions = make(name, **options), [], []
        while not position.is_over:
            positions.append(position.copy())
            actions.append(rng.choice(sorted(position.legal() - {"pass"}) or ["pass"]))
            position.play(actions[-1])
        late = len(positions)
        while late > 0 and _leaves(positions[late - 1], most_leaves) < most_leaves:
            late -= 1
        if late < len(positions):  # skip games that end suddenly
            return actions[:late]


def _leaves(position: Position, most: int) -> int:
    """The number of continuations to the end, at most `most`."""
    if position.is_over:
        return 1
    count = 0
    for action in sorted(position.legal()):
        count += _leaves(after(position, action), most - count)
        if count >= most:
            return most
    return count
