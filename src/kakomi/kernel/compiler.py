"""Numba, told of the rules: plain functions, the stubs of the contract, drivers.

Numba takes a fifth of a second to load. So no other module imports this one before something is compiled.
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
"""Numba's event round every compilation that found nothing on disk."""


class NumbaCompiler:
    """What the registry tells of, for Numba."""

    def record_type(self, record: np.dtype) -> Any:
        """Numba's record type."""
        return numba.from_dtype(record)

    def add_function(self, function: FunctionType) -> None:
        """Let compiled code call a plain function."""
        register_jitable(function)


def make_dispatcher(function: FunctionType, flags: str, *, is_checked: bool) -> Any:
    """Numba's dispatcher for a driver's function, with its code on disk under these flags."""
    dispatcher: Any = numba.njit(nogil=True, boundscheck=is_checked)(function)
    dispatcher._cache = cache = DriverCache(function, flags)
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
    """Numba's types of arguments."""
    return tuple(numba.typeof(arg) for arg in args)


def kept_check(dispatcher: Any, args: tuple[Any, ...]) -> Callable[[], bool]:
    """Tells, whenever it is called, whether a dispatcher has code for such arguments, in memory or on disk.

    To work out the name of the file takes milliseconds, so that is done here, once.
    """
    signature = signature_of(args)
    name = dispatcher._cache.file_name(signature, dispatcher.targetctx.codegen())
    cache: DriverCache = dispatcher._cache
    return lambda: signature in dispatcher.overloads or cache.holds(name)


class _Watcher(event.Listener):
    """Turns Numba's events into announcements; of what a driver calls nothing is said."""

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
