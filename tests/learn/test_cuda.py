"""The rules on a GPU. Compiling them needs none, and without one, play is simulated."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import kakomi
from kakomi.core import Game
from kakomi.kernel import register
from learn.needs import needed

needed("numba_cuda")

from cuda.bindings import nvjitlink  # noqa: E402  what follows can't be imported without numba-cuda
from numba import cuda  # noqa: E402

from kakomi.kernel.cuda import GridDriver  # noqa: E402
from kakomi.research.cuda import ptx, threads  # noqa: E402
from learn.beside_cuda import compare  # noqa: E402

TESTS = Path(__file__).resolve().parent.parent

SMALL = {
    "lin": {"size": 5, "line": 3},
    "ren": {"size": 4},
    "rin": {"size": 4},
    "rings": {"size": 2, "players": 3},
    "rive": {"size": 2},
}
small_games = pytest.mark.parametrize("name", kakomi.names())


def machine_code(text: str) -> bytes:
    """The output of NVIDIA's linker for PTX; it fails for calls of undefined functions."""
    linker = nvjitlink.create(1, ["-arch=sm_75"])
    try:
        nvjitlink.add_data(linker, nvjitlink.InputType.PTX, text.encode(), len(text), "rules")
        nvjitlink.complete(linker)
        code = bytearray(nvjitlink.get_linked_cubin_size(linker))
        nvjitlink.get_linked_cubin(linker, code)
    finally:
        nvjitlink.destroy(linker)
    return bytes(code)


@pytest.mark.parametrize("name", kakomi.names())
def test_all_that_a_gpu_does_compiles_to_machine_code(name: str) -> None:
    texts = ptx(kakomi.game(name))
    assert set(texts) == {name for name, value in vars(threads).items() if isinstance(value, GridDriver)}
    for text in texts.values():
        assert text.count(".entry") == 1
        assert ".extern" not in text
        assert machine_code(text).startswith(b"\x7fELF")


def test_a_game_from_outside_compiles_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TESTS / "sixth_game" / "kakomi-tercet" / "src")
    assert all(map(machine_code, ptx(Game(import_module("kakomi_tercet").GAME)).values()))


def test_the_compute_capability_is_the_one_asked_for() -> None:
    texts = ptx(kakomi.game("lin"), (9, 0))
    assert all("\n.target sm_90\n" in text for text in texts.values())


def sample_in_words(board, state, scratch, rng):
    return "any"


def test_rules_that_do_not_compile_are_named() -> None:
    board = np.dtype([("players", np.int64), ("points", np.int64), ("actions", np.int64)], align=True)
    state = np.dtype([("stones", np.int8, 1), ("to_move", np.int8), ("in_words", np.int8)], align=True)
    scratch = np.dtype([("actions", np.int64, 1)])
    names = dict.fromkeys(("reset", "legal", "play", "scores"))
    rules = SimpleNamespace(
        __name__="others.rules",
        STATE=state,
        SCRATCH=scratch,
        over=lambda board, state: False,
        sample=sample_in_words,
        **names,
    )
    register(rules)
    records = np.zeros(1, board), np.zeros(1, state), np.zeros(1, scratch)
    with pytest.raises(TypeError, match=r"^others\.rules: 'sample' doesn't compile for a GPU: "):
        threads.sample.ptx(
            *records, np.zeros(1, np.bool_), np.zeros((1, 1), np.uint64), np.zeros(1, np.int64)
        )


def fresh(code: str, **environment: str) -> subprocess.CompletedProcess:
    """Run code in a new Python process."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=os.environ | environment, cwd=TESTS, capture_output=True, text=True)


@small_games
def test_a_simulated_gpu_plays_as_the_processor(name: str) -> None:
    code = f"from learn.beside_cuda import compare; compare({name!r}, {SMALL[name]})"
    run = fresh(code, NUMBA_ENABLE_CUDASIM="1")
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(not cuda.is_available(), reason="there is no GPU; the simulated one has been compared")
@pytest.mark.filterwarnings("ignore:Grid size")  # three games don't fill a GPU
@small_games
def test_a_gpu_plays_as_the_processor(name: str) -> None:
    compare(name, SMALL[name])


TRIED = """
import numpy as np, kakomi
from kakomi.research.cuda import CudaEnv, playouts
try:
    {call}
except Exception as error:
    print(type(error).__name__, error)
"""
RIN = "kakomi.game('rin', size=4)"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (f"CudaEnv({RIN}, 0)", "ValueError n is 0; an environment needs at least one game"),
        (f"CudaEnv({RIN}, 3, autoreset='never')", "ValueError autoreset is 'never'; "),
        (f"CudaEnv({RIN}, 3).step([1, 2])", "ValueError actions are int64 (2,); they must be integers (3,)"),
        (f"CudaEnv({RIN}, 3).step(['a', 'b', 'c'])", "ValueError actions are str"),
        (f"CudaEnv({RIN}, 3).reset(games=[0, 1, 2])", "ValueError games are int64 (3,); they must be bool"),
        (f"playouts({RIN}, 0)", "ValueError n is 0; at least one game has to be played"),
    ],
)
def test_what_cannot_be_is_named(call: str, said: str) -> None:
    run = fresh(TRIED.format(call=call), NUMBA_ENABLE_CUDASIM="1", KAKOMI_KERNEL="interpreted")
    assert run.stdout.startswith(said), run.stderr


def test_without_numba_cuda_it_says_what_to_install() -> None:
    hide = (
        "import importlib.util as util; find = util.find_spec;"
        "util.find_spec = lambda name, *rest: None if name == 'numba_cuda' else find(name, *rest);"
    )
    run = fresh(hide + "import kakomi.research.cuda")
    assert "ImportError: games on a GPU need numba-cuda" in run.stderr
    assert "pip install 'kakomi[cuda]'" in run.stderr


@pytest.mark.parametrize("call", [f"CudaEnv({RIN}, 3)", f"playouts({RIN}, 3)"])
def test_without_a_gpu_it_says_so(call: str) -> None:
    run = fresh(TRIED.format(call=call), CUDA_VISIBLE_DEVICES="-1")
    assert run.stdout.startswith("RuntimeError there is no GPU that CUDA can use: "), run.stderr
