"""A fingerprint of everything that a compiled function can depend on.

Numba's own cache checks one file's time stamp and misses an edit to a function in another file. Here a
module includes, recursively, every module that its functions, classes and imports come from. The fingerprint
covers the code and constants in memory, not the files, which may have been edited since the import.
"""

import contextlib
import hashlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_OTHERS = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}  # their versions are in the cache key
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), type(...), np.dtype)


def fingerprint(*module_names: str) -> str:
    """Return a hash over loaded modules and everything that they depend on."""
    digest = hashlib.sha256()
    for name, module in sorted(_closure(module_names).items()):
        digest.update(f"\0module {name}".encode())
        for part in _contents(module):
            digest.update(part)
    return digest.hexdigest()


def _closure(module_names: Iterable[str]) -> dict[str, ModuleType]:
    """Return modules and, recursively, the home modules of the values that they name."""
    found: dict[str, ModuleType] = {}
    waiting = [sys.modules[name] for name in module_names]
    while waiting:
        module = waiting.pop()
        if module.__name__ not in found:
            found[module.__name__] = module
            homes = {_home(value) for value in list(vars(module).values())}
            waiting += [sys.modules[home] for home in homes if home in sys.modules and not _is_others(home)]
    return found


def _home(value: Any) -> str:
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return home if isinstance(home, str) else ""


def _is_others(module_name: str) -> bool:
    return module_name.split(".", maxsplit=1)[0] in _OTHERS


def _contents(module: ModuleType) -> Iterator[bytes]:
    for name, value in sorted(vars(module).items()):
        if not name.startswith("__"):
            yield f"\0{name}=".encode()
            if _is_defined_elsewhere(value, module):
                yield f"{value.__module__}:{value.__qualname__}".encode()
            else:
                yield from _described(value, set())


def _is_defined_elsewhere(value: Any, module: ModuleType) -> bool:
    """Whether this is a function or class that another module defines and already describes."""
    home = _home(value)
    if not isinstance(value, FunctionType | type) or home == module.__name__:
        return False
    return _is_others(home) or getattr(sys.modules.get(home), value.__name__, None) is value


def _described(value: Any, seen: set[int]) -> Iterator[bytes]:
    """Yield a constant's value, or a function's or class's code; nothing for other values."""
    if isinstance(value, _CONSTANTS):
        yield f"{value!r},".encode()
    elif isinstance(value, np.ndarray | np.generic):
        yield f"{value.dtype}{value.shape}".encode() + value.tobytes()
    elif isinstance(value, tuple):
        for item in value:
            yield from _described(item, seen)
        yield b")"
    elif isinstance(value, frozenset):  # has no fixed order
        yield from sorted(b"".join(_described(item, seen)) for item in value)
    elif isinstance(value, CodeType):
        yield _code(value)
    else:
        yield from _compilable(_unwrapped(value), seen)


def _compilable(value: Any, seen: set[int]) -> Iterator[bytes]:
    if isinstance(value, FunctionType | type) and id(value) not in seen:
        seen.add(id(value))
        yield from _function(value, seen) if isinstance(value, FunctionType) else _class(value, seen)


def _unwrapped(value: Any) -> Any:
    """Return the plain function inside a driver or a Numba dispatcher."""
    if isinstance(value, FunctionType | type):
        return value
    inside = [inspect.getattr_static(value, name, None) for name in ("py_func", "__wrapped__")]
    return inside[0] or inside[1] or value


@cache
def _code(code: CodeType) -> bytes:
    """Return the bytes of code and its constants; cached because neither can change."""
    flags = code.co_flags | inspect.CO_OPTIMIZED  # Numba clears it when a call is profiled or traced
    arguments = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    constants = b"".join(_described(code.co_consts, set()))
    return code.co_code + repr((arguments, names)).encode() + constants


def _function(function: FunctionType, seen: set[int]) -> Iterator[bytes]:
    yield from _described((function.__code__, function.__defaults__), seen)
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # a cell may still be empty
            yield from _described(cell.cell_contents, seen)


def _class(kind: type, seen: set[int]) -> Iterator[bytes]:
    for name, member in sorted(vars(kind).items()):
        if isinstance(member, FunctionType) or not name.startswith("__"):
            yield name.encode()
            yield from _described(member, seen)
