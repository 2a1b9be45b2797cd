"""Numba's disk cache of compiled drivers: one file each, named after everything that its content depends on.

`kakomi.kernel.cache` manages the folder.
"""

import hashlib
import logging
import os
import pickle
import secrets
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.sigutils import normalize_signature

from kakomi.kernel import atomic_intrinsics, lanes_intrinsics
from kakomi.kernel.cache import NO_FOLDER, CompileLock, cache_folder
from kakomi.kernel.registry import parts_of, rules_of_type
from kakomi.kernel.sources import fingerprint

logger = logging.getLogger(__name__)

_DIGEST_BYTES = 32
_REMEDY = "let KAKOMI_CACHE_DIR name a folder that can be written"
_ALWAYS = (atomic_intrinsics.__name__, lanes_intrinsics.__name__)
"""Modules that all compiled code depends on."""


def modules_among(arguments: Iterable[Any]) -> list[ModuleType]:
    """Return the rules whose states are among a compiled driver's arguments, and their companion modules."""
    found = [rules_of_type(record) for record in _records_among(arguments)]
    games = [rules for rules in found if rules is not None]
    return games + [module for rules in games for module in parts_of(rules)[1:]]


def _records_among(arguments: Iterable[Any]) -> Iterator[Any]:
    """Yield the element types of arrays, including those in named tuples."""
    for argument in arguments:
        if isinstance(argument, types.BaseTuple):
            yield from _records_among(cast("Iterable[Any]", argument))
        else:
            yield getattr(argument, "dtype", argument)


class DriverCache(_Cache):
    """Numba's cache interface for one driver compiled with one set of flags."""

    def __init__(self, function: Any, flags: str) -> None:
        self._function = function
        self._flags = flags
        self._lock = CompileLock()

    @property
    def cache_path(self) -> str:
        return str(cache_folder() or "")

    def enable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's interface; files never go stale."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled driver for a signature, or None if there is no usable one.

        After None, other processes that need it wait until `end_compiling` is called.
        """
        target_context.refresh()
        path = self._file(sig, target_context.codegen())
        found = _read(path, target_context)
        if found is None and path is not None:
            self._lock.take(path)
            found = _read(path, target_context)  # another process may have compiled it while this one waited
        return found

    def has_file(self, name: str) -> bool:
        """Whether there is a file of this name."""
        folder = cache_folder()
        return folder is not None and os.path.exists(folder / name)

    def end_compiling(self) -> None:
        """Release the lock, whether or not the compilation succeeded."""
        self._lock.give_back()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled driver to disk, or warn if the folder doesn't allow it."""
        if data.lifted or data.library.has_dynamic_globals:
            return
        path = self._file(sig, data.codegen)
        if path is None:
            _warn_once(NO_FOLDER)
            return
        payload = pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
        try:
            _write_whole(path, hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            _warn_once(f"{path.parent}: {error.strerror or error}")

    def _file(self, sig: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        return None if folder is None else folder / self.file_name(sig, codegen)

    def file_name(self, sig: Any, codegen: Any) -> str:
        """Return the file name for a signature's code, with a hash of everything that the code depends on."""
        arguments, _ = normalize_signature(sig)
        modules = {rules.__name__ for rules in modules_among(arguments)}
        parts = (
            self._function.__qualname__,
            str(sig),
            self._flags,
            codegen.magic_tuple(),
            fingerprint(self._function.__module__, *modules, *_ALWAYS),
            (sys.version, numba.__version__, np.__version__, llvmlite.__version__),
        )
        name = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return f"{self._function.__name__}-{name}.kernel"


def _read(path: Path | None, target_context: Any) -> Any:
    """Load a file's compiled driver; None if there is no usable one."""
    try:
        content = path.read_bytes() if path else b""
    except OSError:
        return None
    digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if hashlib.sha256(payload).digest() != digest:
        return None
    try:
        return CompileResult._rebuild(target_context, *pickle.loads(payload))
    except Exception:  # recompiling fixes any problem with the file
        return None


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: neither readers nor a crash leave half a file. Other users may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@cache
def _warn_once(why: str) -> None:
    """Warn once per process and reason. Only time is lost, so this raises no error."""
    logger.warning("Compiled code can't be kept (%s), so every run compiles it again; %s.", why, _REMEDY)
