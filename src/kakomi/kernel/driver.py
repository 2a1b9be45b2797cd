"""Drivers: generic loops over the rules that run compiled, checked, interpreted or adaptively."""

import contextlib
import os
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import Enum
from functools import update_wrapper
from importlib import import_module
from threading import RLock
from typing import Any

import numpy as np

from kakomi.kernel.registry import callees_of, has_compiler, make_compilable


class Mode(Enum):
    """How drivers run. The results are the same; interpreted is for debugging rules."""

    COMPILED = "compiled"
    CHECKED = "checked"
    """Compiled with bounds checks: an index out of range raises IndexError."""
    INTERPRETED = "interpreted"
    """Plain Python, with NumPy's overflow warnings as errors."""
    ADAPTIVE = "adaptive"
    """Compiled if the code is on disk, else interpreted. Nothing is compiled, so calls never wait for a
    compiler; another process may add the code at any time."""


def _mode_from_environment() -> Mode:
    name = os.environ.get("KAKOMI_KERNEL", Mode.COMPILED.value)
    try:
        return Mode(name)
    except ValueError:
        known = ", ".join(m.value for m in Mode)
        raise ValueError(f"KAKOMI_KERNEL is {name!r}; it may be one of: {known}") from None


_mode: ContextVar[Mode | None] = ContextVar("mode", default=None)
_default_mode: list[Mode] = []
"""`$KAKOMI_KERNEL` when `mode` was first called, so that a program can set it after importing this module.
It is a list because fingerprints of modules contain their constants, which must not change."""
_making = RLock()
"""Held while a dispatcher is made, because threads share it."""


def mode() -> Mode:
    """Return the current mode: set by `use_mode`, else by `$KAKOMI_KERNEL`."""
    if not _default_mode:
        _default_mode.append(_mode_from_environment())
    return _mode.get() or _default_mode[0]


@contextlib.contextmanager
def use_mode(chosen: Mode | str) -> Iterator[None]:
    """Run drivers in another mode inside a `with` block."""
    token = _mode.set(Mode(chosen))
    try:
        yield
    finally:
        _mode.reset(token)


class Driver:
    """A plain function over boards, states and rules that is compiled once for each game.

    It is called with the arrays that hold the records (a driver reads `states[0]` itself); arrays that belong
    together may be passed as one `NamedTuple`. Compiled code is kept on disk and releases the GIL while it
    runs.
    """

    def __init__(self, function: Callable) -> None:
        self.function: Any = function
        self._compiled: dict[Mode, Any] = {}
        self._cached: set[tuple[Any, ...]] = set()
        """The kinds of arguments for which compiled code exists."""
        self._checks: dict[tuple[Any, ...], Callable[[], bool]] = {}
        """The kinds without compiled code at the last check -> how to check again."""
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        current = mode()
        if current is Mode.ADAPTIVE:
            current = Mode.COMPILED if self.is_cached(args) else Mode.INTERPRETED
        if current is Mode.INTERPRETED:
            with np.errstate(all="raise"):
                return self.function(*[_as_interpreted(arg) for arg in args])
        return (self._compiled.get(current) or self.compiled(current))(*args)

    def is_cached(self, args: tuple[Any, ...]) -> bool:
        """Whether compiled code exists for these arguments. This never loads the compiler."""
        kinds = tuple(map(_kind, args))
        if kinds in self._cached:
            return True
        if not has_compiler():
            return False
        if (is_cached := self._checks.get(kinds)) is None:
            from kakomi.kernel.compiler import cache_check

            is_cached = self._checks[kinds] = cache_check(self.compiled(), args)
        if is_cached():
            self._cached.add(kinds)
        return kinds in self._cached

    def compiled(self, chosen: Mode = Mode.COMPILED) -> Any:
        """Return Numba's dispatcher for a compiled mode."""
        with _making:
            if chosen not in self._compiled:
                for callee in callees_of(self.function):
                    make_compilable(callee)
                from kakomi.kernel.compiler import make_dispatcher

                self._compiled[chosen] = make_dispatcher(self.function, is_checked=chosen is Mode.CHECKED)
            return self._compiled[chosen]

    def warm(self, *args: Any) -> bool:
        """Compile for these arguments without running. Return whether that was needed. `Mode.ADAPTIVE` only
        loads code that is on disk."""
        if mode() is Mode.ADAPTIVE and not self.is_cached(args):
            return False
        from kakomi.kernel.compiler import signature_of

        dispatcher = self.compiled(Mode.CHECKED if mode() is Mode.CHECKED else Mode.COMPILED)
        misses = sum(dispatcher.stats.cache_misses.values())
        dispatcher.compile(signature_of(args))
        return bool(sum(dispatcher.stats.cache_misses.values()) > misses)


def load_compiler() -> None:
    """Load the compiler, so that adaptive drivers find compiled code. Takes a quarter of a second, once."""
    import_module("kakomi.kernel.compiler")


def driver(function: Callable) -> Driver:
    """Make a function over rules compilable; see `Driver`."""
    return Driver(function)


def _kind(arg: Any) -> Any:
    if isinstance(arg, np.ndarray):
        return arg.dtype, arg.ndim
    return tuple(map(_kind, arg)) if isinstance(arg, tuple) else type(arg)


def _as_interpreted(arg: Any) -> Any:
    if isinstance(arg, np.ndarray) and arg.dtype.names:
        return as_records(arg)
    if isinstance(arg, tuple) and hasattr(arg, "_fields"):
        return type(arg)(*map(_as_interpreted, arg))
    return arg


def as_records(array: np.ndarray) -> np.ndarray:
    """Return a view of an array of records whose fields are attributes, as in compiled code."""
    return array.view(np.dtype((_Record, array.dtype)))


class _Record(np.void):  # type: ignore[misc]  # its stub is final, the class is not
    """Three times as fast as `numpy.record`, which makes interpreted play twice as fast."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"this record has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except ValueError:
            if name in (self.dtype.names or ()):
                raise
            raise AttributeError(f"this record has no field {name!r}") from None
