"""A game's advice to a search, called as plain Python on a position."""

import random
from types import ModuleType

import numpy as np

import kakomi
from kakomi import Position
from kakomi.kernel import as_records, random_state


def records(position: Position) -> list[np.void]:
    """Board, state and scratch, the arguments of a policy's functions."""
    arrays = (position.game.board, position.states(), position.game.scratch)
    return [as_records(array)[0] for array in arrays]


def policy_of(position: Position) -> ModuleType:
    """The policy of a position's game."""
    policy = position.game.description.policy
    assert policy is not None
    return policy


def candidates(position: Position) -> list[int]:
    """The actions that a search would consider."""
    board, state, scratch = records(position)
    n = policy_of(position).candidates(board, state, scratch)
    return scratch["actions"][:n].tolist()


def playout_action(position: Position, seed: int = 1) -> int:
    """A random action drawn as in a playout."""
    return int(policy_of(position).playout_action(*records(position), random_state(seed)))


def priors(position: Position) -> dict[str, float]:
    """The prior of each legal action."""
    board, state, scratch = records(position)
    legal = position.legal_actions()
    out = np.full(len(legal), np.nan)
    scratch["actions"][: len(legal)] = legal
    policy_of(position).prior(board, state, scratch, len(legal), out)
    assert scratch["actions"][: len(legal)].tolist() == legal
    return dict(zip(position.legal(), out.tolist(), strict=True))


def advised_game(name: str, seed: int, advice: float, **options: int) -> list[Position]:
    """A random game with a share `advice` of its actions drawn as in playouts."""
    rng = random.Random(seed)
    positions = [kakomi.game(name, **options).start()]
    while not positions[-1].is_over:
        position = positions[-1]
        legal = position.legal_actions()
        action = (
            playout_action(position, rng.randrange(10**6)) if rng.random() < advice else rng.choice(legal)
        )
        assert action in legal
        positions.append(position.play_action(action))
    return positions
