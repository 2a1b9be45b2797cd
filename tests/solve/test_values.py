"""The solver agrees with brute force over the slow references, wherever that is feasible."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import pytest

import kakomi
from kakomi import Game, Position
from kakomi.catalog import describe
from kakomi.kernel import use_mode
from kakomi.solve import Solver
from reference import Position as Reference
from reference import make
from sampling import ALL
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


@contextmanager
def economical(game: str) -> Iterator[None]:
    """Use compiled code for two games. For the others, these boards are small enough to be solved
    interpreted."""
    with use_mode("compiled" if ALL or game in ("rin", "rive") else "interpreted"):
        yield


def margin(position: Position, seat: int) -> int:
    scores = position.scores()
    return int(scores[seat] - max(score for player, score in enumerate(scores) if player != seat))


@pytest.mark.parametrize(("name", "options", "seat"), LATE, ids=str)
def test_late_positions(name: str, options: dict[str, int], seat: int) -> None:
    for seed in SEEDS:
        actions = brute_force.late_game(name, options, seed, LEAVES)
        position = reached(kakomi.game(name, **options), actions)
        with economical(name):
            solver = solved(position, seat)
            line = solver.line()
        assert solver.value == brute_force.value(replayed(name, options, actions), seat)
        assert line is not None
        for action in line:
            position = position.play_action(action)
        assert position.is_over and margin(position, seat) == solver.value


def test_rive_of_side_2_as_a_whole() -> None:
    """Solved after each different first stone: the centre, or one of the six equivalent edge cells."""
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
        with economical("ren"):
            solver = solved(reached(Game(limited, {"size": 4}), actions))
        assert solver.value == brute_force.value(replayed("ren", {"size": 4}, actions), 0, most_plies)


def test_a_game_that_says_nothing_about_solving() -> None:
    """Then the identity fields distinguish positions, and no symmetry is used."""
    actions = brute_force.late_game("rings", {"size": 2}, 0, LEAVES)
    with use_mode("compiled" if ALL else "interpreted"):
        solver = solved(reached(saying_nothing(kakomi.game("rings", size=2)), actions))
    assert solver.space.keys.symmetries == 1
    assert solver.value == brute_force.value(replayed("rings", {"size": 2}, actions), 0)


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


def test_an_interpreted_search_can_be_stopped_soon() -> None:
    """Interpreted positions take so long that a slice has fewer of them."""
    with use_mode("interpreted"):
        solver = Solver(kakomi.game("rive", size=2).start())
        assert not solver.run(lambda progress: False)
    assert solver.nodes < 100
