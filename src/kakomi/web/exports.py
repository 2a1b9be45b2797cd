"""What a game's module exports: the drivers that play, search and count, with arguments of their types."""

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from kakomi import catalog
from kakomi.bots.spec import NET, WITH_FILE
from kakomi.core import Game, Position, steps
from kakomi.core.marks import NUMBERS, blank_marks
from kakomi.kernel import Driver, atomic, atomic_intrinsics, contract, lanes, lanes_intrinsics, wasm
from kakomi.kernel.registry import parts_of
from kakomi.kernel.source_digest import source_digest
from kakomi.networks.convolution import WINOGRAD, unpack_kernels
from kakomi.networks.evaluator import BlankEvaluator, CompiledEvaluator
from kakomi.networks.inference import evaluate
from kakomi.networks.weights import kernels_of, read_network
from kakomi.search import AdvisedSearch, PatternSearch, PatternTable, Search
from kakomi.search.pattern_table import OWN_PATTERNS, classes_of, number_classes, orders_of
from kakomi.search.playout import SLICE, own_playouts
from kakomi.search.tree import Tree, keep_subtree
from kakomi.search.win_check import WinCheck, find_win
from kakomi.search.worker import Workspace
from kakomi.web.modules import NETWORK, Manifest

Call = tuple[Driver, tuple[Any, ...]]
"""A driver and arguments for it."""
NamedCall = tuple[str, Driver, tuple[Any, ...]]
"""A driver with the name under which it is exported, and arguments for it."""
MEMORY_MB = 1.0


def exports_of(game: Game) -> dict[str, Call]:
    """Return what a game's module exports, by name. The arguments are those of a search from the start."""
    start = game.start()
    states, scratch = start.states(), np.zeros(1, game.description.rules.SCRATCH)
    scores, plain = np.zeros(game.players), Search(game, memory_mb=MEMORY_MB)
    found: dict[str, Call] = {
        "begin": (steps.begin, (game.board, states)),
        "rebuild": (steps.rebuild, (game.board, states, scratch)),
        "advance": (steps.advance, (game.board, states, states.copy(), scratch, 0)),
        "list_legal": (steps.list_legal, (game.board, states, scratch)),
        "count_scores": (steps.count_scores, (game.board, states, scores)),
        "find_win": (find_win, WinCheck(game).arguments()),
        "keep_subtree": (keep_subtree, subtree_arguments(Tree(game.players, len(game.actions), MEMORY_MB))),
        "simulate": simulating(plain, start),
    }
    found["own_playouts"] = owning(game, states, plain._workers[0]._space)
    explain = game.description.explain
    if marking := getattr(explain, "mark_places", None):
        found["mark_places"] = marking, (game.board, states, states.copy(), scratch, marks_of(game))
    if finding := getattr(explain, "find_reason", None):
        found["find_reason"] = finding, (game.board, states, scratch, 0, np.zeros(NUMBERS, np.int64))
    if game.description.measured_file(OWN_PATTERNS):
        table = PatternTable.blank(game)
        found |= {"simulate_with_patterns": simulating(PatternSearch(game, table=table, memory_mb=1), start)}
        found |= {"number_classes": numbering(classes_of(game.geometry.kind), game)}
    if network_file(game):
        search = AdvisedSearch(game, evaluator=BlankEvaluator(game), memory_mb=MEMORY_MB)
        found["simulate_with_network"] = simulating(search, start)
    return found


def marks_of(game: Game) -> np.ndarray:
    """Return the array for the marks of a game's overlays, if a driver writes them; else an empty one."""
    geometry, marked = game.geometry, getattr(game.description.explain, "MARKED", ())
    return blank_marks(geometry.points + len(geometry.cells), marked)


def network_file(game: Game) -> Path | None:
    """Return the file of the network that comes with a game, if any."""
    return game.description.measured_file(WITH_FILE[NET])


def network_calls(evaluator: CompiledEvaluator, path: Path) -> dict[str, NamedCall]:
    """Return what the module for networks does: it evaluates, after it has unpacked the weights."""
    weights = evaluator.arguments[0]
    found: dict[str, NamedCall] = {"evaluate": ("evaluate", evaluate, evaluator.arguments)}
    for field, kernels in kernels_of(read_network(str(path))).items():
        args = kernels, WINOGRAD, getattr(weights, field)
        found[f"unpack_{field}"] = "unpack_kernels", unpack_kernels, args
    return found


def network_exports() -> dict[str, Call]:
    """Return what the module for networks exports, by name."""
    game = next(game for game in map(catalog.game, catalog.names()) if network_file(game))
    path = network_file(game)
    assert path is not None
    calls = network_calls(CompiledEvaluator(path, game, cache_mb=MEMORY_MB), path)
    return {name: (driver, args) for name, driver, args in calls.values()}


def numbering(classes: np.ndarray, game: Game) -> Call:
    """Return the driver that fills the classes of a game's patterns."""
    return number_classes, (orders_of(game.geometry.kind), classes)


def simulating(search: Search, position: Position) -> Call:
    """Return the driver of a search's simulations, with the arguments for one simulation."""
    return search._workers[0]._call(position.states())


def owning(game: Game, states: np.ndarray, space: Workspace) -> Call:
    """Return the driver that counts the owners at the end of a slice of playouts."""
    owned, found = np.zeros((game.geometry.points, game.players), np.int64), np.zeros((SLICE, game.players))
    spare = space.states, space.scratches, space.rng
    return own_playouts, (game.board, states, *spare, owned, found, game.cut_off or 0)


def subtree_arguments(tree: Tree) -> tuple[Any, ...]:
    """Return the arguments that make the root of a tree its root again."""
    return tree.header, tree.nodes, tree.sums, np.zeros(len(tree.nodes), np.int32), 0


def manifest_for(name: str) -> Manifest:
    """Return the manifest of a game's module, or of the one for networks, built from the present source."""
    if name == NETWORK:
        calls, parts = network_exports(), [lanes, lanes_intrinsics]
    else:
        game = catalog.game(name)
        calls, parts = exports_of(game), parts_of(game.description.rules)
    records = _records(calls)
    manifest: Manifest = {
        "game": name,
        "functions": {
            function: wasm.described(wasm.parameters_of(driver, args, records))
            for function, (driver, args) in calls.items()
        },
        "records": {record_name: _layout(record) for record, record_name in records.items()},
    }
    drivers = [driver.function for driver, _ in calls.values()]
    modules: list[ModuleType] = [contract, atomic, atomic_intrinsics, wasm]
    modules += [part for part in parts if inspect.ismodule(part)]
    return {**manifest, "sources": source_digest(drivers, modules, repr(manifest))}


def _records(calls: dict[str, Call]) -> dict[np.dtype, str]:
    """Return the record types among arguments, named after the first parameter of each."""
    found: dict[np.dtype, str] = {}

    def look(name: str, value: Any) -> None:
        if isinstance(value, np.ndarray) and value.dtype.names:
            found.setdefault(value.dtype, name)
        for field, one in getattr(value, "_asdict", dict)().items():
            look(field, one)

    for driver, args in calls.values():
        for name, value in zip(inspect.signature(driver.function).parameters, args, strict=True):
            look(name, value)
    return found


def _layout(record: np.dtype) -> dict[str, Any]:
    fields: dict[str, list[Any]] = {}
    inside: Any = record.fields
    for name in record.names or ():
        kind, offset = inside[name][:2]
        fields[name] = [offset, kind.base.str, list(kind.shape)]
    return {"size": record.itemsize, "fields": fields}
