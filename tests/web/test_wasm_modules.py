"""The games' WebAssembly modules: what they hold, and that they do what the processor's code does."""

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from kakomi import catalog
from kakomi.core.steps import OVER
from kakomi.kernel import Mode, load_compiler, random_state, use_mode
from kakomi.networks.evaluator import BlankEvaluator
from kakomi.search import AdvisedSearch, PatternSearch, PatternTable, Search
from kakomi.search.pattern_table import classes_of, own_patterns
from kakomi.web import NETWORK, manifest_of, module_of
from kakomi.web.build import NETWORK_DATA
from kakomi.web.exports import (
    Call,
    exports_of,
    manifest_for,
    network_exports,
    network_file,
    numbering,
    simulating,
)
from kakomi.web.program import BASE, leaves, program_of

pytest.importorskip("wasmtime", reason="wasmtime, which runs WebAssembly, is not installed")
import wasmtime

from web.machine import Machine

GAMES = catalog.names()
LARGEST = 60_000
BOARDS: list[tuple[str, dict[str, int]]] = [
    ("lin", {"size": 5}),
    ("lin", {"size": 13}),
    ("ren", {"size": 4}),
    ("ren", {"size": 10}),
    ("rin", {"size": 4}),
    ("rin", {"size": 16}),
    ("rings", {"size": 3}),
    ("rings", {"size": 6, "players": 2}),
    ("rings", {"size": 3, "players": 3}),
    ("rings", {"size": 4, "players": 6}),
    ("rive", {"size": 2}),
    ("rive", {"size": 5}),
]
SIMULATIONS = 400


@cache
def machine(name: str) -> Machine:
    return Machine(module_of(name))


def alike(game: str, name: str, call: Call) -> int:
    """Run a driver in both ways, and compare all memory. Return the result.

    What the processor has compiled is compared byte for byte. The rest is interpreted, which copies records
    without their padding.
    """
    driver, args = call
    load_compiler()
    is_compiled = name in ("simulate", "find_win") or driver.is_cached(args)
    result, contents = machine(game).run(name, args)
    with use_mode(Mode.COMPILED if is_compiled else Mode.INTERPRETED):
        assert result == (driver(*args) or 0)
    for array, content in contents:
        found = np.frombuffer(content, array.dtype).reshape(array.shape)
        if is_compiled:
            assert found.tobytes() == array.tobytes(), name
        for field in array.dtype.names or ():
            assert found[field].tobytes() == array[field].tobytes(), (name, field)
        assert array.dtype.names or found.tobytes() == array.tobytes(), name
    return result


def times(call: Call, parameter: str, number: int) -> Call:
    """The same call with another number for a parameter."""
    driver, args = call
    names = driver.function.__code__.co_varnames
    return driver, (*args[: names.index(parameter)], number, *args[names.index(parameter) + 1 :])


@pytest.mark.parametrize("name", [*GAMES, NETWORK])
def test_a_module_belongs_to_the_present_source(name: str) -> None:
    """When it fails, `make web` builds the modules again."""
    assert manifest_of(module_of(name)) == manifest_for(name), "run `make web`"


@pytest.mark.parametrize("name", GAMES)
def test_a_module_imports_nothing_and_so_no_allocator(name: str) -> None:
    running = machine(name)
    assert running.imports == []
    assert running.exports == {*exports_of(catalog.game(name)), "memory", "__heap_base"}
    assert running.base <= BASE
    assert len(module_of(name)) <= LARGEST


def test_the_module_for_networks_imports_memory_alone() -> None:
    """Its constants lie where a game's module has none, and they share a stack."""
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, module_of(NETWORK))
    assert [f"{one.module}.{one.name}" for one in module.imports] == ["env.memory"]
    assert {one.name for one in module.exports} == {*network_exports(), "__heap_base"}
    for name in GAMES:
        assert machine(name).base <= NETWORK_DATA < BASE


@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_a_search_leaves_equal_memory(name: str, options: dict[str, int]) -> None:
    game = catalog.game(name, **options)
    call = simulating(Search(game, seed=7, memory_mb=2), game.start())
    made = alike(name, "simulate", times(call, "n", SIMULATIONS))
    assert 0 < made <= SIMULATIONS
    alike(name, "simulate", times(call, "n", SIMULATIONS // 4))  # goes on in the same tree


@pytest.mark.parametrize("name", [name for name in GAMES if own_patterns(catalog.game(name))])
def test_a_search_with_patterns_leaves_equal_memory(name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    call = simulating(PatternSearch(game, table=patterns(game), seed=3, memory_mb=1), game.start())
    alike(name, "simulate_with_patterns", times(call, "n", 100 if call[0].is_cached(call[1]) else 5))
    classes = np.zeros_like(classes_of(game.geometry.kind))
    machine(name).call("number_classes", numbering(classes, game)[1])
    assert np.array_equal(classes, classes_of(game.geometry.kind))


@pytest.mark.parametrize("name", [name for name in GAMES if network_file(catalog.game(name))])
def test_a_search_with_a_network_leaves_equal_memory(name: str) -> None:
    """Up to the network's answers, whose last digits depend on the processor."""
    game = catalog.game(name, **catalog.describe(name).quick)
    search = AdvisedSearch(game, evaluator=BlankEvaluator(game), seed=3, memory_mb=1)
    driver, args = simulating(search, game.start())
    alike(name, "simulate_with_network", (driver, args))


def patterns(game: Any) -> PatternTable:
    """A table of random numbers."""
    table, rng = PatternTable.blank(game), np.random.default_rng(5)
    for array in (table.shares, table.weights, table.biases, table.values, table.outlook):
        array[:] = rng.normal(scale=0.1, size=array.shape)
    return table


@pytest.mark.parametrize("name", GAMES)
def test_playouts_and_what_keeps_a_tree_leave_equal_memory(name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    calls = exports_of(game)
    driver, (*args, owned, scores, most_plies) = calls["own_playouts"]
    scores = scores[: 50 if driver.is_cached((*args, owned, scores, most_plies)) else 2]
    alike(name, "own_playouts", (driver, (*args[:-1], random_state(9), owned, scores, most_plies)))
    alike(name, "find_win", calls["find_win"])
    search = Search(game, seed=1, memory_mb=0.1)
    search.run(game.start(), simulations=50)
    tree = search._tree
    root = 1 + int(np.argmax(tree.nodes["visits"][1:]))
    moved = np.zeros(len(tree.nodes), np.int32)
    alike(name, "keep_subtree", (calls["keep_subtree"][0], (tree.header, tree.nodes, tree.sums, moved, root)))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_a_module_alone(name: str) -> None:
    game, rng, running = catalog.game(name, **catalog.describe(name).quick), random.Random(4), machine(name)
    states, successors = np.zeros((2, 1), game.description.rules.STATE)
    scratch, scores = np.zeros(1, game.description.rules.SCRATCH), np.zeros(game.players)
    position = game.start()
    status = running.call("begin", (game.board, states))
    for _ in range(60):
        assert (status % OVER, status >= OVER) == (position.to_move, position.is_over)
        if position.is_over:
            break
        count = running.call("list_legal", (game.board, states, scratch))
        actions = [int(action) for action in scratch["actions"][0][:count]]
        assert sorted(actions) == sorted(position.legal_actions())
        assert running.call("advance", (game.board, states, successors, scratch, len(game.actions))) == -1
        action = rng.choice(actions)
        status = running.call("advance", (game.board, states, successors, scratch, action))
        states, successors = successors, states
        position = position.play_action(action)
    running.call("count_scores", (game.board, states, scores))
    assert list(scores) == list(position.scores())
    again = states.copy()
    running.call("rebuild", (game.board, again, scratch))
    assert all(np.array_equal(again[field], states[field]) for field in game.description.rules.IDENTITY)


def test_what_is_no_module_of_a_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no WebAssembly"):
        manifest_of(b"GIF89a")
    with pytest.raises(ValueError, match="no manifest"):
        manifest_of(b"\0asm\1\0\0\0")


def test_a_manifest_describes_all_arguments() -> None:
    game = catalog.game("rive")
    manifest = manifest_of(module_of("rive"))
    for name, (_, args) in exports_of(game).items():
        assert len(manifest["functions"][name]) == len(leaves(args))
    layout = manifest["records"]["states"]
    assert layout["size"] == game.description.rules.STATE.itemsize
    assert layout["fields"]["to_move"] == [game.description.rules.STATE.fields["to_move"][1], "|i1", []]


def test_a_program_fits_into_a_telephone() -> None:
    """On every board that a game's options allow to be large, with its network."""
    for name in GAMES:
        described = catalog.describe(name)
        size = next(option for option in described.options if option.name == "size")
        program = program_of(catalog.game(name, size=max(size.allowed_given({}))))
        assert program.description["end"] <= 64 * 2**20
        assert program.description["rules_end"] <= 2**20
        ends = [at + len(content) for at, content in (*program.segments, *program.network_segments)]
        assert max(ends) <= program.description["end"]


def test_a_program_tells_which_levels_and_searches_there_are() -> None:
    described = program_of(catalog.game("rive", size=4)).description
    assert [level["level"] for level in described["levels"]] == list(range(1, 14))
    assert {level["kind"] for level in described["levels"]} == set(described["kinds"])
    assert all(f"search.{kind}" in described["calls"] for kind in described["kinds"])
    assert described["strongest"] == "network"
    lean = program_of(catalog.game("rive", size=4), has_network=False)
    assert lean.network_segments == []
    assert lean.description["strongest"] == "patterns"
    assert "network" not in lean.description["kinds"]
