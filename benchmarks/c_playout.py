"""Rin's playouts against the same algorithm in hand-written C (`rin_playout.c`, gcc -O3 -march=native)."""

import ctypes
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kakomi.core import Game
from kakomi.games.rin.rules import MAX_POINTS
from kakomi.kernel import random_state
from kakomi.search.playout import Playouts

SOURCE = Path(__file__).with_name("rin_playout.c")
COMPILER = ("gcc", "-O3", "-march=native", "-shared", "-fPIC")
_C_BOARD = np.dtype(
    [
        ("points", np.int32),
        ("around", np.uint16, (MAX_POINTS, 8)),
        ("outwards", np.uint16, (MAX_POINTS, 4)),
        ("safe", np.int8, MAX_POINTS),
        ("arms", np.int8, 256),
    ],
    align=True,
)


@dataclass(frozen=True)
class Comparison:
    """Playouts per second of both sides, and the median over rounds of their ratio."""

    ours: float
    in_c: float
    ratio: float
    rounds: int


def compare(game: Game, seconds: float, rounds: int = 7) -> Comparison | None:
    """Time both sides in turn on one core; None without gcc. Raises AssertionError if they disagree."""
    if shutil.which(COMPILER[0]) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "rin_playout.so"
        subprocess.run([*COMPILER, str(SOURCE), "-o", str(library)], check=True)
        return _compare(game, ctypes.CDLL(str(library)), seconds, rounds)


def _compare(game: Game, library: ctypes.CDLL, seconds: float, rounds: int) -> Comparison:
    library.playouts.restype = ctypes.c_int64
    board = _c_board(game)
    ours = Playouts(game, seed=1)
    rng, final_scores = random_state(1), np.zeros(2)
    n = 100

    def in_c() -> int:
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (board, rng, final_scores)]
        return int(library.playouts(*pointers, ctypes.c_int64(n)))

    ours.run(n), in_c()
    timed = []
    while len(timed) < rounds:
        started = time.perf_counter()
        plies = ours.run(n)
        between = time.perf_counter()
        plies_in_c = in_c()
        ended = time.perf_counter()
        assert plies == plies_in_c, "Python and C played different games"
        assert (ours.final_scores == final_scores).all(), "Python and C counted different scores"
        if ended - started < seconds / rounds / 2:
            n *= 2
            continue
        timed.append((n / (between - started), n / (ended - between)))
    return Comparison(
        ours=statistics.median(ours for ours, _ in timed),
        in_c=statistics.median(theirs for _, theirs in timed),
        ratio=statistics.median(ours / theirs for ours, theirs in timed),
        rounds=rounds,
    )


def _c_board(game: Game) -> np.ndarray:
    board = np.zeros(1, _C_BOARD)
    for name in _C_BOARD.names or ():
        board[name] = game.board[name]
    board["arms"] = np.bitwise_count(game.board["arms"])  # C needs only the number of arms
    return board
