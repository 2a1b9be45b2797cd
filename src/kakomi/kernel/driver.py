"""Drivers: generic loops over the rules, run compiled, checked, interpreted or as it suits."""

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

from kakomi.kernel.registry import called_by, has_compiler, make_compilable


class Mode(Enum):
    """How drivers run. The results are the same; interpreted is for debugging rules."""

    COMPILED = "compiled"
    CHECKED = "checked"
    """Compiled with bounds checks: an index out of range raises IndexError."""
    INTERPRETED = "interpreted"
    """Plain Python, with NumPy's overflow warnings as errors."""
    ADAPTIVE = "adaptive"
    """Compiled where the code is on disk, interpreted elsewhere. Nothing is compiled, so nobody waits for a
    compiler; another process may put the code there at any time."""


def _mode_from_environment() -> Mode:
    name = os.environ.get("KAKOMI_KERNEL", Mode.COMPILED.value)
    try:
        return Mode(name)
    except ValueError:
        known = ", ".join(m.value for m in Mode)
        raise ValueError(f"KAKOMI_KERNEL is {name!r}; it may be one of: {known}") from None


_mode: ContextVar[Mode | None] = ContextVar("mode", default=None)
_default_mode: list[Mode] = []
"""`$KAKOMI_KERNEL` when `mode` was first called: a program may set it after it has loaded this module. It is
a list, as fingerprints of modules contain their constants, and those must not change."""
_making = RLock()
"""Held while a dispatcher is made, of which threads share one."""


def mode() -> Mode:
    """How drivers run now: `$KAKOMI_KERNEL`, unless `use_mode` says otherwise."""
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
    """A plain function over boards, states and rules that compiles itself for each game it meets.

    Called with the arrays that hold the records (a driver takes `states[0]` itself); several arrays that
    belong together may come as one `NamedTuple`. Compiled code is kept on disk and releases the interpreter
    lock while it runs.
    """

    def __init__(self, function: Callable) -> None:
        self.function: Any = function
        self._compiled: dict[Mode, Any] = {}
        self._kept: set[tuple[Any, ...]] = set()
        """Kinds of arguments for which there is compiled code."""
        self._checks: dict[tuple[Any, ...], Callable[[], bool]] = {}
        """Those for which there was none when it was last looked for -> how to look again."""
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        current = mode()
        if current is Mode.ADAPTIVE:
            current = Mode.COMPILED if self.is_kept(args) else Mode.INTERPRETED
        if current is Mode.INTERPRETED:
            with np.errstate(all="raise"):
                return self.function(*[_as_interpreted(arg) for arg in args])
        return (self._compiled.get(current) or self.compiled(current))(*args)

    def is_kept(self, args: tuple[Any, ...]) -> bool:
        """Whether there is compiled code for these arguments, without loading a compiler to find out."""
        kinds = tuple(map(_kind, args))
        if kinds in self._kept:
            return True
        if not has_compiler():
            return False
        if (is_kept := self._checks.get(kinds)) is None:
            from kakomi.kernel.compiler import kept_check

            is_kept = self._checks[kinds] = kept_check(self.compiled(), args)
        if is_kept():
            self._kept.add(kinds)
        return kinds in self._kept

    def compiled(self, chosen: Mode = Mode.COMPILED) -> Any:
        """Numba's dispatcher for a compiled mode."""
        with _making:
            if chosen not in self._compiled:
                for callee in called_by(self.function):
                    make_compilable(callee)
                from kakomi.kernel.compiler import make_dispatcher

                checked = chosen is Mode.CHECKED
                self._compiled[chosen] = make_dispatcher(self.function, chosen.value, is_checked=checked)
            return self._compiled[chosen]

    def warm(self, *args: Any) -> bool:
        """Compile for these arguments without running; whether that was needed. `Mode.ADAPTIVE` only loads
        what is on disk."""
        if mode() is Mode.ADAPTIVE and not self.is_kept(args):
            return False
        from kakomi.kernel.compiler import signature_of

        dispatcher = self.compiled(Mode.CHECKED if mode() is Mode.CHECKED else Mode.COMPILED)
        misses = sum(dispatcher.stats.cache_misses.values())
        dispatcher.compile(signature_of(args))
        return bool(sum(dispatcher.stats.cache_misses.values()) > misses)


def load_compiler() -> None:
    """Have drivers look for compiled code in the adaptive mode; loading takes a quarter of a second, once."""
    import_module("kakomi.kernel.compiler")


def driver(function: Callable) -> Driver:
    """Make a function over rules compilable as a whole; see `Driver`."""
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
    """The same array of records, whose fields are attributes as they are in compiled code."""
    return array.view(np.dtype((_Record, array.dtype)))


class _Record(np.void):  # type: ignore[misc]  # its stub is final, the class is not
    """Three times as fast as `numpy.record`, and interpreted play twice as fast by that."""

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
