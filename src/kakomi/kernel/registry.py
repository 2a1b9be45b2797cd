"""The registry of rules by record type, and of the plain functions that compiled code may call."""

from collections.abc import Callable
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, Protocol

import numpy as np


class Compiler(Protocol):
    """A compiler that needs to know record types and functions."""

    def record_type(self, record: np.dtype) -> Any:
        """Return the compiler's own type for a record type."""

    def add_function(self, function: FunctionType) -> None:
        """Let compiled code call a plain function."""


_LOCK = RLock()
_COMPILERS: list[Compiler] = []  # empty at first: loading one takes a fifth of a second
_BY_RECORD: dict[Any, ModuleType] = {}  # the compiler's record type -> rules, for compiled dispatch
_BY_FIELDS: dict[tuple[str, ...], ModuleType] = {}  # field names -> rules, for interpreted dispatch
_COMPANIONS: dict[str, tuple[ModuleType, ...]] = {}  # name of rules -> the game's policy and other modules
_COMPILABLE: dict[FunctionType, bool] = {}  # function -> whether it must be added to compilers


def register(rules: Any, *companions: Any) -> None:
    """Register a game's rules and companion modules with the kernel.

    `rules` is a module (or any namespace) with a record type `STATE` and the functions of
    `kakomi.kernel.contract`; companions (None is ignored) define functions of its other parts. All stay
    plain Python and become compilable, with everything they call. Registering the same rules again has no
    effect.

    Raises ValueError if other rules already use this record type, because dispatch couldn't tell them apart:
    a state needs at least one field name of its own. Raises ValueError if a field has the name of a method or
    attribute of NumPy's records, such as `sum`, which interpreted rules would find instead. Raises ValueError
    if the rules define neither `legal` nor `is_legal`.
    """
    state = rules.STATE
    for record in (state, rules.SCRATCH, getattr(rules, "BOARD", state)):
        _refuse_hidden_fields(rules.__name__, record)
    if not (hasattr(rules, "legal") or hasattr(rules, "is_legal")):
        raise ValueError(f"{rules.__name__} has neither legal nor is_legal")
    fields = tuple(state.names or ())
    known = _BY_FIELDS.get(fields)
    if known is rules:
        return
    if known is not None:
        raise ValueError(
            f"the state of {rules.__name__} has the same field names as that of {known.__name__}; "
            "give it a field of its own name"
        )
    with _LOCK:
        _BY_FIELDS[fields] = rules
        _COMPANIONS[rules.__name__] = tuple(module for module in companions if module is not None)
        for compiler in _COMPILERS:
            _BY_RECORD[compiler.record_type(state)] = rules
        for module in (rules, *_COMPANIONS[rules.__name__]):
            for function in vars(module).values():
                make_compilable(function)


def attach(compiler: Compiler) -> None:
    """Pass everything registered so far, and everything registered later, to a compiler."""
    with _LOCK:
        for rules in _BY_FIELDS.values():
            _BY_RECORD[compiler.record_type(rules.STATE)] = rules
        for function, is_told in _COMPILABLE.items():
            if is_told:
                compiler.add_function(function)
        _COMPILERS.append(compiler)


def has_compiler() -> bool:
    """Whether a compiler is attached."""
    return bool(_COMPILERS)


def _refuse_hidden_fields(owner: str, record: np.dtype) -> None:
    hidden = [name for name in record.names or () if hasattr(np.record, name)]
    if hidden:
        raise ValueError(
            f"{owner} has a field {hidden[0]!r}, which is also an attribute of NumPy's records; rename it"
        )


def rules_of_type(record: Any) -> ModuleType | None:
    """Return the rules for a compiler's record type; None if it isn't a registered game's state."""
    return _BY_RECORD.get(record)


def rules_of_state(state: np.void) -> ModuleType:
    """Return the rules for a state, in interpreted code."""
    return _BY_FIELDS[state.dtype.names or ()]


def function_of(rules: ModuleType, name: str) -> Callable | None:
    """Return a function by name from the rules or their companions, ignoring imported stubs; else None."""
    homes = (rules, *_COMPANIONS.get(rules.__name__, ()))
    found = (getattr(module, name, None) for module in homes)
    return next((own for own in found if own and _COMPILABLE.get(own, True)), None)


def parts_of(rules: ModuleType) -> list[ModuleType]:
    """Return the modules of a game, its rules first."""
    return [rules, *_COMPANIONS[rules.__name__]]


def make_compilable(function: Any) -> None:
    """Let compiled code call this plain function and, recursively, every function that it calls."""
    if not isinstance(function, FunctionType) or _is_foreign(function):
        return
    with _LOCK:
        if function in _COMPILABLE:
            return
        _COMPILABLE[function] = True
        for compiler in _COMPILERS:
            compiler.add_function(function)
        for callee in callees_of(function):
            make_compilable(callee)


def mark_compilable(function: Any) -> None:
    """Mark a function that compiled code can already call, such as a stub with its own overload."""
    _COMPILABLE[function] = False


def callees_of(function: FunctionType) -> list[FunctionType]:
    """Return the plain functions that a function names, directly or as attributes of a module it names."""
    names = function.__code__.co_names
    values = [function.__globals__.get(name) for name in names]
    for module in [value for value in values if isinstance(value, ModuleType)]:
        values += [getattr(module, name, None) for name in names]
    return [value for value in values if isinstance(value, FunctionType)]


def _is_foreign(function: FunctionType) -> bool:
    """Whether the function is NumPy's or Numba's own, which isn't registered."""
    return (function.__module__ or "").split(".")[0] in ("numpy", "numba")
