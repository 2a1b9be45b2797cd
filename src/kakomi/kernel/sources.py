"""A fingerprint of all that a compiled function can depend on.

Numba's own cache looks at one file's time stamp and misses an edit in a function called from
elsewhere. Here a module counts with every module that its functions, classes and imports come from,
through any number of steps. What is hashed is the code and the constants as they are in memory, not
the files: those may have been edited since they were imported.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_OTHERS = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}  # their versions are in the cache key
_CONSTANTS = (bool, int, float, complex, str, bytes, frozenset, type(None), np.dtype)


def fingerprint(module_name: str) -> str:
    """A hash over a loaded module and all that it is built from."""
    digest = hashlib.sha256()
    for name, module in sorted(_closure(sys.modules[module_name]).items()):
        digest.update(f"\0module {name}".encode())
        for part in _contents(module):
            digest.update(part)
    return digest.hexdigest()


def _closure(module: ModuleType) -> dict[str, ModuleType]:
    found: dict[str, ModuleType] = {}
    waiting = [module]
    while waiting:
        module = waiting.pop()
        if module.__name__ in found:
            continue
        found[module.__name__] = module
        waiting += [used for used in _used_by(module) if used.__name__ not in found]
    return found


def _used_by(module: ModuleType) -> Iterable[ModuleType]:
    """Where the things that a module names come from: functions, classes, instances, modules."""
    for value in list(vars(module).values()):
        home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(home, str) and home.split(".")[0] not in _OTHERS and home in sys.modules:
            yield sys.modules[home]


def _contents(module: ModuleType) -> Iterator[bytes]:
    for name, value in sorted(vars(module).items()):
        if not name.startswith("__"):
            yield f"\0{name}=".encode()
            yield from _described(value, set())


def _described(value: Any, seen: set[int]) -> Iterator[bytes]:
    """A constant's value, a function's or class's code; nothing for what compiled code can't hold."""
    value = getattr(value, "py_func", value)  # what somebody compiled with Numba themselves
    if id(value) in seen:
        return
    if isinstance(value, _CONSTANTS):
        yield repr(value).encode()
    elif isinstance(value, np.ndarray | np.generic):
        yield f"{value.dtype}{value.shape}".encode() + value.tobytes()
    elif isinstance(value, tuple):
        for item in value:
            yield from _described(item, seen)
            yield b","
    elif isinstance(value, FunctionType):
        seen.add(id(value))
        yield from _code(value.__code__)
        for held in (value.__defaults__ or ()) + tuple(
            cell.cell_contents for cell in value.__closure__ or ()
        ):
            yield from _described(held, seen)
    elif isinstance(value, type):
        seen.add(id(value))
        for name, member in sorted(vars(value).items()):
            yield name.encode()
            yield from _described(member, seen)


def _code(code: CodeType) -> Iterator[bytes]:
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    yield code.co_code + repr((shape, names)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(constant).encode()
