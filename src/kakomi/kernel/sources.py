"""A fingerprint of all the source that a compiled function can depend on.

Numba's own cache looks at one file's time stamp and misses an edit in a function called from
elsewhere. Here a module counts with every module that its functions, classes and imports come from,
through any number of steps, and with the value of every constant it holds, wherever that was made.
"""

import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

_OTHERS = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}  # their versions are in the cache key
_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, type(None), np.dtype, np.generic)


@cache
def fingerprint(module_name: str) -> str:
    """A hash over a loaded module and all that it is built from."""
    digest = hashlib.sha256()
    for name, module in sorted(_closure(sys.modules[module_name]).items()):
        digest.update(name.encode() + b"\0" + _source(module) + b"\0")
        for constant, value in sorted(_constants(module)):
            digest.update(f"{constant}={value}\0".encode())
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
    for value in list(vars(module).values()):
        if isinstance(value, ModuleType):
            origin = value
        elif isinstance(value, FunctionType | type) and value.__module__ in sys.modules:
            origin = sys.modules[value.__module__]
        else:
            continue
        if origin.__name__.split(".")[0] not in _OTHERS:
            yield origin


def _source(module: ModuleType) -> bytes:
    path = getattr(module, "__file__", None)
    try:
        return Path(path).read_bytes() if path else b""
    except OSError:  # a module from an archive: its loader knows its text, its code says the same
        return repr(sorted(vars(module))).encode()


def _constants(module: ModuleType) -> Iterable[tuple[str, str]]:
    for name, value in vars(module).items():
        if name.startswith("__"):
            continue
        if isinstance(value, np.ndarray):
            yield name, f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
        elif isinstance(value, _CONSTANTS):
            yield name, repr(value)
