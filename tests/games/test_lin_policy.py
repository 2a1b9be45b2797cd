"""Lin's advice to a search is sound."""

from collections.abc import Callable, Sequence

import pytest

import kakomi
from games.advice import advised_game, candidates, playout_action, priors
from kakomi import Position
from kakomi.games.lin.rules import CLOSED
from kakomi.kernel import use_mode

BLACK, WHITE = 0, 1
BOARDS = [
    {"size": 5, "line": 3},
    {"size": 5},
    {"size": 5, "line": 5, "komi": 8},
    {"size": 7, "line": 4, "komi": 4},
]


def contested(position: Position) -> list[int]:
    open_to = position.state["place_in_open"]
    return [action for action in position.legal_actions() if open_to[1 - position.to_move][action] != CLOSED]


@pytest.mark.parametrize("options", BOARDS)
def test_candidates_and_playouts_are_on_contested_points(options):
    for position in advised_game("lin", 1, 0.5, **options)[:-1]:
        assert candidates(position) == contested(position) != []
        assert playout_action(position, position.ply) in contested(position)


def test_playouts_draw_every_contested_point():
    position = kakomi.game("lin", size=5).arranged({"b1": WHITE, "b2": WHITE, "b3": WHITE, "a4": WHITE})
    drawn = {playout_action(position, seed) for seed in range(300)}
    assert drawn == set(contested(position)) < set(range(25))


@pytest.mark.parametrize("options", BOARDS[:3])
def test_to_leave_out_settled_points_changes_no_value(options):
    """Search all continuations of late positions in which settled points could still be played."""
    fewer = 0
    for seed in range(20):
        position = advised_game("lin", seed, 0.2, **options)[-4]
        if empty(position) <= 7:
            assert best_lead(position, candidates, {}) == best_lead(position, Position.legal_actions, {})
            fewer += len(candidates(position)) < len(position.legal())
    assert fewer


def empty(position: Position) -> int:
    return position.game.geometry.points - len(position.stones())


def best_lead(
    position: Position, listed: Callable[[Position], Sequence[int]], known: dict[bytes, float]
) -> float:
    """Black's lead under best play among the actions of `listed`; `known` caches leads by position."""
    if position.is_over:
        black, white = position.scores()
        return black - white
    if position.key() not in known:
        leads = [best_lead(position.play_action(action), listed, known) for action in listed(position)]
        known[position.key()] = min(leads) if position.to_move == WHITE else max(leads)
    return known[position.key()]


def test_to_carry_a_wall_on_promises_more():
    stones = {"c3": BLACK, "a5": WHITE, "b5": WHITE}
    promised = priors(kakomi.game("lin", size=5).arranged(stones, WHITE))
    walls = {"b2", "b4", "d2", "d4", "c4"}  # c4 continues from b5; a5 and b5 are between a4 and each other
    assert {name for name, promise in promised.items() if promise > 0.5} == walls


@pytest.mark.parametrize("options", BOARDS)
def test_priors_are_shares_of_a_win(options):
    for position in advised_game("lin", 2, 0.5, **options)[:-1]:
        assert all(0 <= share <= 1 for share in priors(position).values())


def test_interpreted_games_of_the_policy_run():
    with use_mode("interpreted"):
        assert advised_game("lin", 1, 1.0, size=5)[-1].is_over
