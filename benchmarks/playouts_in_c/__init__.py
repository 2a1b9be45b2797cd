"""Every game's playouts against the same algorithm in hand-written C (gcc -O3 -march=native)."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from kakomi import catalog
from kakomi.core import Game
from kakomi.kernel import random_state
from kakomi.search.playout import Playouts

FOLDER = Path(__file__).parent
COMPILER = ("gcc", "-O3", "-march=native", "-shared", "-fPIC")
ROUNDS = 15
BATCH = 100
"""Playouts by one side before the other's turn."""


@dataclass(frozen=True)
class Comparison:
    """Playouts a second of both sides, and our speed divided by C's: the median over rounds and its range."""

    game: str
    ours: float
    in_c: float
    ratio: float
    smallest: float
    largest: float


def has_compiler() -> bool:
    """Whether C can be compiled here."""
    return shutil.which(COMPILER[0]) is not None


def names() -> list[str]:
    """Return the games with rules in C."""
    return [name for name in catalog.names() if (FOLDER / f"{name}.c").exists()]


class PlayoutsInC:
    """Random playouts of one game from one seed, like `Playouts`, by its rules in C."""

    def __init__(self, game: Game, seed: int) -> None:
        self._board = game.board
        self._playouts = _compile(game)
        self._rng = random_state(seed)
        self.final_scores = np.zeros(game.players)
        """Each player's score in the last game played."""

    def run(self, n: int) -> int:
        """Play n games to their end. Return the total number of plies."""
        arrays = [array.ctypes.data for array in (self._board, self._rng, self.final_scores)]
        return int(self._playouts(*map(ctypes.c_void_p, arrays), ctypes.c_int64(n)))


def _compile(game: Game) -> "ctypes._NamedFuncPointer":
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "playouts.so"
        Path(folder, "board.h").write_text(_board_header(game.description.rules), encoding="utf-8")
        parts = (f"-I{folder}", f'-DGAME="{game.name}.c"', str(FOLDER / "playouts.c"))
        subprocess.run([*COMPILER, *parts, "-o", str(library)], check=True)
        playouts = ctypes.CDLL(str(library)).playouts
    playouts.restype = ctypes.c_int64
    return playouts


def _board_header(rules: ModuleType) -> str:
    """Write the rules' constants and their record of the board, whose layout is that of a structure in C."""
    constants = [
        f"    {name} = {value},"
        for name, value in vars(rules).items()
        if name.isupper() and isinstance(value, int)
    ]
    fields = [
        f"    {field.base.name}_t {name}{''.join(f'[{length}]' for length in field.shape)};"
        for name in rules.BOARD.names
        for field in [rules.BOARD[name]]
    ]
    return "\n".join(
        (
            *("enum {", *constants, "};"),
            *("typedef struct {", *fields, "} Board;"),
            f'_Static_assert(sizeof(Board) == {rules.BOARD.itemsize}, "the layout of Board");\n',
        )
    )


def compare(game: Game, seconds: float, rounds: int = ROUNDS) -> Comparison:
    """Time both sides in turn on one core. Raises AssertionError if they disagree.

    A round alternates short batches and counts processor time, so that what else runs here slows both sides.
    """
    ours, in_c = Playouts(game, seed=1), PlayoutsInC(game, seed=1)
    seconds_each = np.zeros((rounds, 2))
    played = 0
    ours.run(1)  # compiles, or loads
    in_c.run(1)
    for spent in seconds_each:
        while spent.sum() < seconds / rounds:
            started = time.thread_time()
            plies = ours.run(BATCH)
            between = time.thread_time()
            plies_in_c = in_c.run(BATCH)
            spent += between - started, time.thread_time() - between
            played += BATCH
            assert plies == plies_in_c, f"{game.name}: Python and C played different games"
            assert (ours.final_scores == in_c.final_scores).all(), f"{game.name}: the scores differ"
    ratios = seconds_each[:, 1] / seconds_each[:, 0]
    ours_per_s, in_c_per_s = (float(rate) for rate in played / seconds_each.sum(axis=0))
    return Comparison(
        game=game.name,
        ours=ours_per_s,
        in_c=in_c_per_s,
        ratio=float(np.median(ratios)),
        smallest=float(ratios.min()),
        largest=float(ratios.max()),
    )
