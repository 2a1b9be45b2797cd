"""Rive's advice to a search is sound."""

import random

import numpy as np
import pytest

import kakomi
from games.advice import records
from kakomi import Position
from kakomi.games.rive import policy

BLACK, WHITE = 0, 1


def is_decided(position: Position) -> bool:
    return bool(policy.is_decided(*records(position)))


def arranged(black: str = "", white: str = "", to_move: int = BLACK, size: int = 2) -> Position:
    stones = dict.fromkeys(black.split(), BLACK) | dict.fromkeys(white.split(), WHITE)
    return kakomi.game("rive", size=size).arranged(stones, to_move)


def games(size: int, n: int, greed: float) -> list[list[Position]]:
    """Random games with a share `greed` of actions that have the highest prior."""
    played = []
    for seed in range(n):
        rng = random.Random(seed)
        positions = [kakomi.game("rive", size=size).start()]
        while not positions[-1].is_over:
            actions = positions[-1].legal()
            if rng.random() < greed:
                promised = priors(positions[-1])
                actions = [text for text in actions if promised[text] == max(promised.values())]
            positions.append(positions[-1].play(rng.choice(actions)))
        played.append(positions)
    return played


@pytest.mark.parametrize(("size", "greed"), [(2, 0.0), (3, 0.0), (3, 0.9), (4, 0.5)])
def test_what_is_decided_stays_so(size, greed):
    early = 0
    for positions in games(size, 12, greed):
        decided = [position for position in positions if is_decided(position)]
        assert decided[-1] is positions[-1]
        assert {leader(position) for position in decided} == {leader(positions[-1])}
        early += len(decided) - 1
    assert early


def leader(position: Position) -> int:
    black, white = position.scores()
    assert black != white
    return BLACK if black > white else WHITE


def test_whoever_wants_to_cannot_turn_what_is_decided():
    """Search all continuations once few cells are empty."""
    for positions in games(3, 20, greed=0.5):
        decided = [position for position in positions if is_decided(position)]
        late = next(position for position in decided if len(position.legal()) <= 4)
        assert winners(late) == {leader(late)}


def winners(position: Position) -> set[int]:
    if position.is_over:
        return {leader(position)}
    return set().union(*(winners(position.play_action(action)) for action in position.legal_actions()))


def test_level_scores_and_captures_to_come_decide_nothing():
    assert is_decided(arranged("a1 a2 b1", "b2 b3"))
    assert not is_decided(arranged("a1 b1", "b2 b3"))  # level: the last of three cells is Black's
    assert not is_decided(arranged("a1 a2", "c2"))  # b1, b2 and b3 join the groups
    assert not is_decided(arranged("a1 b3", "c1").play("b2"))  # two stones must be removed
    assert not is_decided(kakomi.game("rive", size=2).start())


def test_priors_order_actions():
    position = arranged("a1 c2", "a2 c1")
    assert set(priors(position).values()) == {policy.CAPTURE}
    assert set(priors(kakomi.game("rive").start()).values()) == {policy.NO_CAPTURE}
    assert set(priors(arranged("a1", "a2")).values()) == {policy.NO_CAPTURE}
    removals = priors(position.play("b1"))
    assert removals["xa2"] > removals["xc2"]


@pytest.mark.parametrize("size", [3, 4])
def test_priors_are_shares_of_a_win(size):
    for positions in games(size, 1, greed=0.3):
        for position in positions[:-1]:
            assert all(0 <= share <= 1 for share in priors(position).values())


def priors(position: Position) -> dict[str, float]:
    board, state, scratch = records(position)
    legal = position.legal_actions()
    out = np.full(len(legal), np.nan)
    scratch["actions"][: len(legal)] = legal
    policy.prior(board, state, scratch, len(legal), out)
    assert scratch["actions"][: len(legal)].tolist() == legal
    return dict(zip(position.legal(), out.tolist(), strict=True))
