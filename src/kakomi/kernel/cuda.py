"""Rules on a GPU, compiled by numba-cuda: a thread sees to one game.

numba-cuda finds the rules through the overloads of the contract, as the processor's compiler does. What it
compiles is kept for the process and not on disk.
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

from kakomi.kernel import compiler  # noqa: F401 (tells Numba of the rules, whose overloads this takes)
from kakomi.kernel.driver_cache import modules_among
from kakomi.kernel.registry import called_by, make_compilable

if find_spec("numba_cuda") is None:
    raise ImportError("games on a GPU need numba-cuda, which is not installed: pip install 'kakomi[cuda]'")

cuda: Any = import_module("numba.cuda")  # numba-cuda's, which takes the place of Numba's own

BLOCK = 64
"""Threads to a block. Games differ in length, so in small blocks fewer wait for the longest."""

CAPABILITY = (7, 5)
"""The least compute capability that CUDA 13 knows; later GPUs take its instructions too."""


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def thread_number() -> Any:
    """Which thread this is, counted over the whole grid."""
    return cuda.grid(1)


class GridDriver:
    """A plain function over boards, states and rules that a GPU runs in many threads at once.

    Called with the number of threads and the function's arguments: device arrays and numbers. Some threads
    more may run, which the function has to leave idle. A call doesn't wait for the GPU. Raises TypeError,
    with the name of the rules, if they don't compile.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self.name: str = function.__name__
        self._dispatcher = cuda.jit(function)
        for callee in called_by(function):
            make_compilable(callee)

    def __call__(self, threads: int, *args: Any) -> None:
        with self._compiling(args):
            self._dispatcher.forall(threads, BLOCK)(*args)

    def ptx(self, *args: Any, capability: tuple[int, int] = CAPABILITY) -> str:
        """The instructions for GPUs of this compute capability, as text. Needs no GPU and runs nothing."""
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
    """Make a function over rules one for a GPU; see `GridDriver`."""
    return GridDriver(function)


def need_gpu() -> None:
    """Raises RuntimeError, with CUDA's reason, if there is no GPU to use."""
    if not cuda.is_available():
        reason = " ".join(str(cuda.cuda_error() or "NVVM is missing, which numba-cuda[cu13] brings").split())
        raise RuntimeError(f"there is no GPU that CUDA can use: {reason}")


def as_array(values: Any) -> Any:
    """A device array if the values lie in the GPU's memory, whosever they are, else NumPy's; no copy."""
    if getattr(values, "__cuda_ndarray__", False):
        return values
    if hasattr(values, "__cuda_array_interface__"):
        return cuda.as_cuda_array(values)
    return np.asarray(values)


def on_device(array: Any) -> Any:
    """A device array: the one given, or a copy of NumPy's."""
    return cuda.to_device(np.ascontiguousarray(array)) if isinstance(array, np.ndarray) else array


@contextlib.contextmanager
def _as_if_on_a_gpu(capability: tuple[int, int]) -> Iterator[None]:
    """numba-cuda asks the GPU for its capability whenever one function calls another, told or not."""
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked
