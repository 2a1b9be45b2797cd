"""What the linker of WebAssembly makes of a driver, and what it refuses."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
LINKING = PROJECT / ".venv-web" / "bin" / "python"
"""The environment that `make web` sets up."""
SCRIPT = """
import sys
import numpy as np
from kakomi.kernel import driver
from kakomi.kernel.wasm import link, sections_of, use_generic_code

@driver
def add_up(numbers, factor):
    if factor == 0:
        raise ValueError
    total = 0
    for row in range(numbers.shape[0]):
        for column in range(numbers.shape[1]):
            total += int(numbers[row, column]) * (row + 1)
    numbers[0, 0] = total
    return total * factor

@driver
def allocate(numbers, factor):
    return len(np.zeros(factor)) + numbers[0, 0]

use_generic_code()
args = np.zeros((2, 3), np.int64), 1
module = link({"add_up": (add_up, args)}, {"note": b"n" * 300})
assert sections_of(module) == {"note": b"n" * 300}
sys.stdout.buffer.write(module)
try:
    link({"allocate": (allocate, args)}, {})
except RuntimeError as error:
    print(error, file=sys.stderr)
add_up(*args)
try:
    use_generic_code()
except RuntimeError as error:
    print(error, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def linked() -> subprocess.CompletedProcess:
    python = sys.executable if find_spec("ziglang") else str(LINKING)
    if not Path(python).exists():
        pytest.skip("the linker of WebAssembly is not installed: `make web` sets it up")
    done = subprocess.run([python, "-c", SCRIPT], capture_output=True, cwd=PROJECT)
    assert done.returncode == 0, done.stderr.decode()
    return done


def test_a_driver_that_allocates_is_refused(linked: subprocess.CompletedProcess) -> None:
    lines = linked.stderr.decode().splitlines()
    assert lines[0].startswith("the linker failed: ")
    assert "undefined symbol: NRT_" in lines[0]
    assert lines[-1] == "Numba has already compiled something for this processor"


def test_a_driver_takes_its_arguments_from_slots(linked: subprocess.CompletedProcess) -> None:
    wasmtime = pytest.importorskip("wasmtime", reason="wasmtime, which runs WebAssembly, is not installed")
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, linked.stdout), []).exports(store)
    memory, at = exports["memory"], exports["__heap_base"].value(store)
    memory.grow(store, 1)
    numbers = b"".join(number.to_bytes(8, "little") for number in (1, 2, 3, 4, 5, 6))

    def call(factor: int) -> int:
        memory.write(store, numbers, at)
        slots = (at, 2, 3, factor)
        memory.write(store, b"".join(slot.to_bytes(8, "little") for slot in slots), at + 64)
        return int(exports["add_up"](store, at + 64))

    assert call(10) == 360
    assert memory.read(store, at, at + 8) == (36).to_bytes(8, "little")
    with pytest.raises(wasmtime.Trap):
        call(0)
