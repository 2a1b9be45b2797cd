"""Rules on a GPU, compiled by numba-cuda: each thread runs one game.

numba-cuda finds the rules through the overloads of the contract, as Numba does on the CPU. Compiled code is
kept in memory, not on disk.
"""

import contextlib
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError

from kakomi.kernel import compiler  # noqa: F401 (registers the overloads that numba-cuda uses)
from kakomi.kernel.driver_cache import modules_among
from kakomi.kernel.registry import callees_of, make_compilable

if find_spec("numba_cuda") is None:
    raise ImportError("games on a GPU need numba-cuda, which is not installed: pip install 'kakomi[cuda]'")

cuda: Any = import_module("numba.cuda")  # numba-cuda's, which replaces Numba's own

BLOCK = 64
"""Threads per block. Games differ in length, and in small blocks fewer wait for the longest one."""

CAPABILITY = (7, 5)
"""The lowest compute capability that CUDA 13 supports; later GPUs can run its instructions too."""


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def thread_number() -> Any:
    """Return the index of this thread in the whole grid."""
    return cuda.grid(1)


class GridDriver:
    """A plain function over boards, states and rules that a GPU runs in many threads at once.

    It is called with the number of threads and the function's arguments: device arrays and numbers. More
    threads than requested may run, and the function must leave those idle. A call doesn't wait for the GPU.
    Raises TypeError with the name of the rules if they don't compile.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self.name: str = function.__name__
        self._dispatcher = cuda.jit(function)
        for callee in callees_of(function):
            make_compilable(callee)

    def __call__(self, threads: int, *args: Any) -> None:
        with self._compiling(args):
            self._dispatcher.forall(threads, BLOCK)(*args)

    def ptx(self, *args: Any, capability: tuple[int, int] = CAPABILITY) -> str:
        """Return the PTX code for a compute capability, as text. Needs no GPU and runs nothing."""
        types = tuple(numba.typeof(arg) for arg in args)
        with self._compiling(args), _as_if_on_a_gpu(capability):
            text, _ = cuda.compile_ptx(self.function, types, cc=capability)
        return str(text)

    @contextlib.contextmanager
    def _compiling(self, args: tuple[Any, ...]) -> Iterator[None]:
        try:
            yield
        except NumbaError as error:
            rules = modules_among(map(numba.typeof, args))[0].__name__
            raise TypeError(f"{rules}: {self.name!r} doesn't compile for a GPU: {error}") from error


def grid_driver(function: Callable) -> GridDriver:
    """Make a function over rules run on a GPU; see `GridDriver`."""
    return GridDriver(function)


def need_gpu() -> None:
    """Raise RuntimeError with CUDA's reason if there is no usable GPU."""
    if not cuda.is_available():
        reason = " ".join(str(cuda.cuda_error() or "NVVM is missing, which numba-cuda[cu13] brings").split())
        raise RuntimeError(f"there is no GPU that CUDA can use: {reason}")


def as_array(values: Any) -> Any:
    """Return a device array for values in GPU memory, of any library, else a NumPy array, without copying."""
    if getattr(values, "__cuda_ndarray__", False):
        return values
    if hasattr(values, "__cuda_array_interface__"):
        return cuda.as_cuda_array(values)
    return np.asarray(values)


def on_device(array: Any) -> Any:
    """Return a device array: the given one, or a copy of a NumPy array."""
    return cuda.to_device(np.ascontiguousarray(array)) if isinstance(array, np.ndarray) else array


@contextlib.contextmanager
def _as_if_on_a_gpu(capability: tuple[int, int]) -> Iterator[None]:
    """Override the device query that numba-cuda makes for every nested call, even with a given capability."""
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked
