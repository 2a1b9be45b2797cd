"""The connection to Numba: registers plain functions and the contract's stubs, and compiles drivers.

Loading Numba takes a fifth of a second, so other modules import this one only when something is compiled.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import event
from numba.extending import overload, register_jitable

from kakomi.kernel.cache import announced
from kakomi.kernel.contract import OVERLOADS
from kakomi.kernel.driver_cache import DriverCache
from kakomi.kernel.registry import attach

COMPILING = "numba:compile"
"""Numba's event for compilations that found nothing on disk."""


class NumbaCompiler:
    """Registers record types and functions with Numba."""

    def record_type(self, record: np.dtype) -> Any:
        """Return Numba's record type."""
        return numba.from_dtype(record)

    def add_function(self, function: FunctionType) -> None:
        """Let compiled code call a plain function."""
        register_jitable(function)


def make_dispatcher(function: FunctionType, *, is_checked: bool) -> Any:
    """Make a driver's dispatcher, cached on disk. All calls are inlined: LLVM left some, at 4 to 20 %."""
    options: Any = {"nogil": True, "boundscheck": is_checked, "forceinline": not is_checked}
    dispatcher: Any = numba.njit(**options)(function)
    dispatcher._cache = cache = DriverCache(function, repr(options))
    dispatcher.compile = _once_among_processes(dispatcher.compile, cache)
    _watcher.names[dispatcher] = function.__name__
    return dispatcher


def _once_among_processes(compile_or_load: Callable, cache: DriverCache) -> Callable:
    def compile(signature: Any) -> Any:
        try:
            return compile_or_load(signature)
        finally:
            cache.end_compiling()

    return compile


def signature_of(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return Numba's types of the arguments."""
    return tuple(numba.typeof(arg) for arg in args)


def cache_check(dispatcher: Any, args: tuple[Any, ...]) -> Callable[[], bool]:
    """Return a function that tells whether a dispatcher has code for these arguments, in memory or on disk.

    Computing the file name takes milliseconds, so it is done here once.
    """
    signature = signature_of(args)
    name = dispatcher._cache.file_name(signature, dispatcher.targetctx.codegen())
    cache: DriverCache = dispatcher._cache
    return lambda: signature in dispatcher.overloads or cache.has_file(name)


class _Watcher(event.Listener):
    """Turns Numba's compile events into announcements, for drivers but not for their callees."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self._entered: list[AbstractContextManager] = []

    def on_start(self, event: Any) -> None:
        name = self.names.get(event.data["dispatcher"])
        if name is not None:
            self._entered.append(announced(name))
            self._entered[-1].__enter__()

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"] in self.names:
            self._entered.pop().__exit__(None, None, None)


_watcher = _Watcher()
event.register(COMPILING, _watcher)
for _stub, _choose in OVERLOADS:
    overload(_stub)(_choose)
attach(NumbaCompiler())
