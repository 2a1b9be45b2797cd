"""All that a browser needs to play a game: what its memory holds at first, and how drivers are called.

`program_of` makes what a search of each kind works on as it is made for the processor, and lays it out in
one memory (docs/web.md).
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kakomi.bots.levels import MEMORY_MB, spec_of_level
from kakomi.bots.spec import NET, PATTERNS, strongest_spec
from kakomi.core import Game, steps
from kakomi.core.level_config import Adviser, LevelConfig
from kakomi.core.marks import NUMBERS
from kakomi.kernel.wasm import SLOT, Parameter
from kakomi.networks.evaluator import CompiledEvaluator
from kakomi.search.pattern_table import own_patterns
from kakomi.search.tree import NODE, Tree
from kakomi.search.win_check import WinCheck
from kakomi.web.exports import marks_of, network_calls, network_file, numbering, owning, subtree_arguments
from kakomi.web.modules import NETWORK, Manifest, manifest_of, module_of

BASE = 1 << 17
"""The address from which on memory is the caller's; the code's own stack and constants lie below."""
CACHE_MB = 4.0
"""The memory of a network's answers."""
ALIGNMENT = 64
NOBODY = "nobody"
"""The kind of search that nothing advises; other kinds are named after their adviser."""
_FUNCTIONS = {Adviser.PATTERNS: "simulate_with_patterns", Adviser.NETWORK: "simulate_with_network"}

Segments = list[tuple[int, bytes]]
"""Addresses, and the bytes there."""


@dataclass(frozen=True)
class Program:
    """A game with its options, ready for a browser."""

    description: dict[str, Any]
    """How to call drivers and where everything is, as JSON."""
    segments: Segments
    """What memory holds at first; everything else is 0."""
    network_segments: Segments
    """The same for the network, if there is one: `network_setup` unpacks its weights."""


class Image:
    """Where arrays lie in a module's memory. Views share the memory of their base."""

    def __init__(self, start: int) -> None:
        self.end = start
        self.arrays: list[tuple[np.ndarray, int]] = []

    def add(self, array: np.ndarray) -> int:
        """Find room for an array, unless it has some. Return its address."""
        base, address = array, _address(array)
        while isinstance(base.base, np.ndarray):
            base = base.base
        for one, at in self.arrays:
            if 0 <= address - _address(one) < one.nbytes:
                return at + address - _address(one)
        at = -(-self.end // ALIGNMENT) * ALIGNMENT
        self.arrays.append((base, at))
        self.end = at + base.nbytes
        return at + address - _address(base)

    def slots(self, args: Any, parameters: list[list[Any]]) -> tuple[bytes, dict[str, int]]:
        """Return the slots of a driver's arguments (a manifest's parameters), and where in them each number
        is."""
        found: list[int | float] = []
        numbers: dict[str, int] = {}
        for value, one in zip(leaves(args), parameters, strict=True):
            parameter = Parameter(*one)
            if isinstance(value, np.ndarray):
                assert value.ndim == parameter.dimensions
                assert parameter.strided or value.flags.c_contiguous
                found += [self.add(value), *value.shape, *(value.strides if parameter.strided else ())]
            elif value is not None:
                numbers[parameter.name] = SLOT * len(found)
                found.append(value)
        packed = (struct.pack("<d" if isinstance(one, float) else "<q", one) for one in found)
        return b"".join(packed), numbers

    def segments(self, unpacked: list[np.ndarray]) -> Segments:
        """Return the contents of all arrays, without those that setup unpacks or that are 0."""
        left_out = {_address(array) for array in unpacked}
        kept = [
            (at, one) for one, at in self.arrays if _address(one) not in left_out and one.view(np.uint8).any()
        ]
        return [(at, one.tobytes().rstrip(b"\0")) for at, one in kept]


def leaves(value: Any) -> list[Any]:
    """Return what is inside tuples within tuples."""
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, tuple) else [value]


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def program_of(
    game: Game, *, module: bytes | None = None, memory_mb: float = MEMORY_MB, has_network: bool = True
) -> Program:
    """Return the program of a game, whose module is by default the one that was shipped.

    Without `has_network` it lacks the levels that a network advises. Raises FileNotFoundError if the game has
    no module.
    """
    return _Layout(game, manifest_of(module or module_of(game.name)), memory_mb, has_network).program()


class _Layout:
    """A program in the making."""

    def __init__(self, game: Game, manifest: Manifest, memory_mb: float, has_network: bool) -> None:
        self._game = game
        self._image = Image(BASE)
        self._functions, self._records = manifest["functions"], manifest["records"]
        self._calls: dict[str, dict[str, Any]] = {}
        self._arrays: dict[str, dict[str, Any]] = {}
        self._unpacked: list[np.ndarray] = []
        self._network = network_file(game) if has_network else None
        advisers = [Adviser.NOBODY, Adviser.PRIOR]
        advisers += [Adviser.PATTERNS] if own_patterns(game) else []
        advisers += [Adviser.NETWORK] if self._network else []
        specs = {each or NOBODY: spec_of_level(LevelConfig(1, adviser=each)) for each in advisers}
        searches = {kind: spec.search_to_compile(game) for kind, spec in specs.items()}
        self._workers = {kind: search._workers[0] for kind, search in searches.items()}
        self._kinds = {
            kind: {"use_proofs": bool(search.config.use_proofs), "sharpness": search.sharpness}
            for kind, search in searches.items()
        }
        self._tree = Tree(game.players, len(game.actions), memory_mb)
        self._space, self._state = self._workers[NOBODY]._space, game.start().states()
        for worker in self._workers.values():
            worker._tree, worker._space = self._tree, self._space

    def program(self) -> Program:
        """Lay out everything: what the rules need, then searches, then the network."""
        self._lay_out_rules()
        ends = [self._image.end]
        self._lay_out_searches()
        ends.append(self._image.end)
        if self._network:
            self._lay_out_network(self._network)
        segments = self._image.segments(self._unpacked)
        return Program(
            self._described(ends[0]),
            [segment for segment in segments if segment[0] < ends[1]],
            [segment for segment in segments if segment[0] >= ends[1]],
        )

    def _call(self, name: str, function: str, args: Any) -> None:
        slots, numbers = self._image.slots(args, self._functions[function])
        at = self._image.add(np.frombuffer(slots, np.uint8))
        places = {number: at + offset for number, offset in numbers.items()}
        self._calls[name] = {"function": function, "block": at, "numbers": places}

    def _name(self, **arrays: np.ndarray) -> None:
        rules = self._game.description.rules
        records = {rules.STATE: "states", NODE: "nodes"}
        for name, array in arrays.items():
            kind = records.get(array.dtype, array.dtype.str)
            self._arrays[name] = {"at": self._image.add(array), "type": kind, "shape": list(array.shape)}

    def _lay_out_rules(self) -> None:
        board, state, scratch = self._game.board, self._state, self._space.scratches
        successor, scores = state.copy(), np.zeros(self._game.players)
        self._call("begin", "begin", (board, state))
        self._call("rebuild", "rebuild", (board, state, scratch))
        self._call("advance", "advance", (board, state, successor, scratch, 0))
        self._call("list_legal", "list_legal", (board, state, scratch))
        self._call("count_scores", "count_scores", (board, state, scores))
        if "mark_places" in self._functions:
            marks = marks_of(self._game)
            self._call("mark_places", "mark_places", (board, state, successor, scratch, marks))
            self._name(marks=marks)
        if "find_reason" in self._functions:
            numbers = np.zeros(NUMBERS, np.int64)
            self._call("find_reason", "find_reason", (board, state, scratch, 0, numbers))
            self._name(numbers=numbers)
        self._name(state=state, successor=successor, actions=scratch["actions"][0], scores=scores)

    def _lay_out_searches(self) -> None:
        tree, space, win, kept = self._tree, self._space, WinCheck(self._game), subtree_arguments(self._tree)
        self._call("find_win", "find_win", win.arguments())
        self._call("keep_subtree", "keep_subtree", kept)
        owned = owning(self._game, self._state, space)[1]
        self._call("own_playouts", "own_playouts", owned)
        self._name(owned=owned[-3], found=owned[-2])
        self._name(win_states=win._states, win_actions=win._actions, win_tried=win._tried)
        self._name(header=tree.arrays.used, nodes=tree.nodes, sums=tree.sums, moved_to=kept[3])
        self._name(clock=space.clock, last_played=space.last_played, rng=space.rng)
        for kind, worker in self._workers.items():
            if (patterns := worker._patterns) is not None:
                self._call("number_classes", "number_classes", numbering(patterns.classes, self._game)[1])
                self._call(f"search.{kind}", "simulate_with_patterns", worker._arguments(self._state, 1))
                self._unpacked.append(patterns.classes)
            elif kind != Adviser.NETWORK:
                self._call(f"search.{kind}", "simulate", worker._arguments(self._state, 1))

    def _lay_out_network(self, path: Path) -> None:
        self._functions = self._functions | manifest_of(module_of(NETWORK))["functions"]
        evaluator, worker = CompiledEvaluator(path, self._game, cache_mb=CACHE_MB), self._workers["network"]
        worker._advice = evaluator.advice
        for name, (function, _, args) in network_calls(evaluator, path).items():
            self._call(name, function, args)
        self._call("search.network", "simulate_with_network", worker._arguments(self._state, 1))
        self._name(pause=worker._advice.pause, planes=worker._advice.planes, answer=worker._advice.answer)
        weights = evaluator.arguments[0]
        self._unpacked += [weights.stem, weights.kernels]

    def _described(self, rules_end: int) -> dict[str, Any]:
        game, calls = self._game, self._calls
        strongest = strongest_spec(game, is_repeatable=self._network is None).kind
        levels = [
            {"level": number, "kind": level.adviser or NOBODY}
            | {"simulations": level.simulations, "temperature": level.temperature, "elo": level.elo}
            for number, level in enumerate(game.description.levels, 1)
        ]
        return {
            "game": game.name,
            "options": dict(game.options),
            "base": BASE,
            "rules_end": rules_end,
            "end": self._image.end,
            "players": game.players,
            "lead_spread": game.description.lead_spread,
            "actions": len(game.actions),
            "calls": calls,
            "setup": [name for name in calls if name == "number_classes"],
            "network_setup": [name for name in calls if name.startswith("unpack_")],
            "arrays": self._arrays,
            "records": {name: self._records[name] for name in ("states", "nodes")},
            "kinds": self._kinds,
            "levels": [level for level in levels if level["kind"] in self._workers],
            "strongest": {PATTERNS: Adviser.PATTERNS, NET: Adviser.NETWORK}.get(strongest, Adviser.PRIOR),
            "over": steps.OVER,
        }
