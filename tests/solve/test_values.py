"""The solver agrees with brute force over the slow references, wherever that can go."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

import kakomi
from kakomi import Game, Position
from kakomi.catalog import describe
from kakomi.kernel import use_mode
from kakomi.solve import Solver
from reference import Position as Reference
from reference import make
from solve import brute_force
from solve.plain_rules import saying_nothing

LATE = [
    ("rin", {"size": 4}, 0),
    ("rin", {"size": 6}, 1),  # too large for exact keys
    ("rive", {"size": 2}, 0),
    ("rive", {"size": 3}, 1),
    ("lin", {"size": 5, "line": 3}, 0),
    ("lin", {"size": 5, "line": 4, "komi": 6}, 1),
    ("lin", {"size": 7, "line": 6}, 0),
    ("ren", {"size": 4}, 0),
    ("ren", {"size": 5, "rui_limit": 1, "lead": 2}, 1),
    ("rings", {"size": 2}, 0),
    ("rings", {"size": 2, "players": 3}, 2),
]
LEAVES = 300
SEEDS = range(3)


def reached(game: Game, actions: list[str]) -> Position:
    position = game.start()
    for action in actions:
        position = position.play(action)
    return position


def replayed(name: str, options: Mapping[str, int], actions: list[str]) -> Reference:
    position = make(name, **options)
    for action in actions:
        position.play(action)
    return position


def solved(position: Position, seat: int = 0, memory_mb: float = 1) -> Solver:
    solver = Solver(position, seat, memory_mb)
    assert solver.run()
    return solver


def margin(position: Position, seat: int) -> int:
    scores = position.scores()
    return int(scores[seat] - max(score for player, score in enumerate(scores) if player != seat))


@pytest.mark.parametrize(("name", "options", "seat"), LATE, ids=str)
def test_late_positions(name: str, options: dict[str, int], seat: int) -> None:
    for seed in SEEDS:
        actions = brute_force.late_game(name, options, seed, LEAVES)
        position = reached(kakomi.game(name, **options), actions)
        solver = solved(position, seat)
        assert solver.value == brute_force.value(replayed(name, options, actions), seat)
        line = solver.line()
        assert line is not None
        for action in line:
            position = position.play_action(action)
        assert position.is_over and margin(position, seat) == solver.value


def test_rive_of_side_2_as_a_whole() -> None:
    """Only the first stone is placed: on the six cells of the edge it is the same."""
    for first in ("b2", "a1"):
        solver = solved(kakomi.game("rive", size=2).start().play(first))
        assert solver.value == brute_force.value(replayed("rive", {"size": 2}, [first]), 0)


@pytest.mark.parametrize("most_plies", [1, 2, 4])
def test_play_that_is_cut_off_is_counted(most_plies: int) -> None:
    """RULES N12, with a nearer limit."""
    for seed in SEEDS:
        actions = brute_force.late_game("ren", {"size": 4}, seed, LEAVES)[:-1]
        limit = len(actions) + most_plies
        limited = replace(describe("ren"), max_game_length=lambda *_, limit=limit: limit)
        solver = solved(reached(Game(limited, {"size": 4}), actions))
        assert solver.value == brute_force.value(replayed("ren", {"size": 4}, actions), 0, most_plies)


def test_a_game_that_says_nothing_about_solving() -> None:
    """Then the identity fields tell positions apart, and no symmetry is made use of."""
    for seed in SEEDS:
        actions = brute_force.late_game("rings", {"size": 2}, seed, LEAVES)
        solver = solved(reached(saying_nothing(kakomi.game("rings", size=2)), actions))
        assert solver.space.keys.symmetries == 1
        assert solver.value == brute_force.value(replayed("rings", {"size": 2}, actions), 0)


@pytest.mark.parametrize(("players", "seat", "left"), [(2, 0, 9), (2, 1, 9), (3, 0, 6), (3, 2, 6)])
def test_what_rings_leaves_out_changes_no_value(players: int, seat: int, left: int) -> None:
    """Conversions all at once and twin points, far before brute force could begin."""
    game = kakomi.game("rings", size=2, players=players)
    positions = [position_with(game, left, seed) for seed in range(12)]
    short = [solved(position, seat, memory_mb=8) for position in positions]
    for solver in short:
        plain = saying_nothing(game).position(str(solver.position))
        assert solver.value == solved(plain, seat, memory_mb=32).value
    assert len({solver.value for solver in short}) > 2


def position_with(game: Game, empty: int, seed: int) -> Position:
    """Where a random game has so few empty points for the first time; nobody passes or ends a turn early."""
    rng = random.Random(seed)
    position = game.start()
    while len(game.geometry.names) - len(position.stones()) > empty:
        position = position.play(rng.choice(sorted(set(position.legal()) - {"pass", "end"})))
    return position


def test_black_forces_all_circles_of_a_small_rings_board() -> None:
    solver = Solver(kakomi.game("rings", size=2).start(), memory_mb=64)
    assert solver.settle(7) and solver.value == 7  # as there are seven circles, one question tells
    assert solver.nodes < 3_000_000


def test_a_table_of_four_places_is_enough() -> None:
    for actions in ("b2 a1", "b2 a1 c1"):
        position = reached(kakomi.game("rive", size=2), actions.split())
        assert solved(position, memory_mb=0).value == solved(position).value


def test_interpreted_it_finds_the_same() -> None:
    position = reached(kakomi.game("rive", size=2), ["b2", "a1"])
    compiled = solved(position)
    with use_mode("interpreted"):
        interpreted = solved(position)
    assert (interpreted.value, interpreted.nodes) == (compiled.value, compiled.nodes)
