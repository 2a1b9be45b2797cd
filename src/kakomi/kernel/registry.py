"""Which rules belong to which record type, and how plain functions become compilable."""

from collections.abc import Callable
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, Protocol

import numpy as np


class Compiler(Protocol):
    """What has to be told of rules and of functions."""

    def record_type(self, record: np.dtype) -> Any:
        """The compiler's own name for a record type."""

    def add_function(self, function: FunctionType) -> None:
        """Let compiled code call a plain function."""


_LOCK = RLock()
_COMPILERS: list[Compiler] = []  # at first none: loading one takes a fifth of a second
_BY_RECORD: dict[Any, ModuleType] = {}  # the compiler's record type -> rules, for compiled dispatch
_BY_FIELDS: dict[tuple[str, ...], ModuleType] = {}  # field names -> rules, for interpreted dispatch
_COMPANIONS: dict[str, tuple[ModuleType, ...]] = {}  # name of rules -> the game's policy and planes
_COMPILABLE: dict[FunctionType, bool] = {}  # function -> whether the compiler has to be told of it


def register(rules: Any, *companions: Any) -> None:
    """Make a game's rules, and what goes with them, known to the kernel.

    `rules` is a module (or any namespace) with a record type `STATE` and the functions of
    `kakomi.kernel.contract`; companions (None is left out) hold functions of its further parts. They
    stay plain Python; they and what they call become compilable. Registering the same rules again does
    nothing.

    Raises ValueError if other rules already use this record type: dispatch could not tell them apart,
    so a state needs at least one field name of its own. Raises ValueError for a field that NumPy's
    records have a method or attribute for, such as `sum`: interpreted rules would find that instead. Raises
    ValueError for rules that don't say what is legal.
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
    """Tell a compiler of all that is registered, and from now on of all that will be."""
    with _LOCK:
        for rules in _BY_FIELDS.values():
            _BY_RECORD[compiler.record_type(rules.STATE)] = rules
        for function, is_told in _COMPILABLE.items():
            if is_told:
                compiler.add_function(function)
        _COMPILERS.append(compiler)


def has_compiler() -> bool:
    """Whether a compiler is loaded, and has been told of all that is registered."""
    return bool(_COMPILERS)


def _refuse_hidden_fields(owner: str, record: np.dtype) -> None:
    hidden = [name for name in record.names or () if hasattr(np.record, name)]
    if hidden:
        raise ValueError(
            f"{owner} has a field {hidden[0]!r}, which is also an attribute of NumPy's records; rename it"
        )


def rules_of_type(record: Any) -> ModuleType | None:
    """The rules for a compiler's record type (None if it isn't a registered game's state)."""
    return _BY_RECORD.get(record)


def rules_of_state(state: np.void) -> ModuleType:
    """The rules for a state in hand, when interpreted."""
    return _BY_FIELDS[state.dtype.names or ()]


def function_of(rules: ModuleType, name: str) -> Callable | None:
    """A function by name, from the rules or what goes with them; a stub that one of them imports is none."""
    homes = (rules, *_COMPANIONS.get(rules.__name__, ()))
    found = (getattr(module, name, None) for module in homes)
    return next((own for own in found if own and _COMPILABLE.get(own, True)), None)


def parts_of(rules: ModuleType) -> list[ModuleType]:
    """The modules that belong to a game, its rules first."""
    return [rules, *_COMPANIONS[rules.__name__]]


def make_compilable(function: Any) -> None:
    """Let compiled code call this plain function, and so on through all that it calls."""
    if not isinstance(function, FunctionType) or _is_foreign(function):
        return
    with _LOCK:
        if function in _COMPILABLE:
            return
        _COMPILABLE[function] = True
        for compiler in _COMPILERS:
            compiler.add_function(function)
        for callee in called_by(function):
            make_compilable(callee)


def mark_compilable(function: Any) -> None:
    """Note that compiled code can already call this function (a stub with an overload of its own)."""
    _COMPILABLE[function] = False


def called_by(function: FunctionType) -> list[FunctionType]:
    """The plain functions that a function names, directly or as attributes of a module it names."""
    names = function.__code__.co_names
    values = [function.__globals__.get(name) for name in names]
    for module in [value for value in values if isinstance(value, ModuleType)]:
        values += [getattr(module, name, None) for name in names]
    return [value for value in values if isinstance(value, FunctionType)]


def _is_foreign(function: FunctionType) -> bool:
    """NumPy's and Numba's own functions: Numba knows them or never will."""
    return (function.__module__ or "").split(".")[0] in ("numpy", "numba")
