"""Compiled drivers on disk: one file for each driver, signature, flags and fingerprint of the sources.

A file's name says all that its content depends on, so nothing in the folder can ever be stale: an
edited rule has another name. An unusable folder, a damaged file or a full disk means compiling again.
"""

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.sigutils import normalize_signature

from kakomi.kernel.registry import modules_among
from kakomi.kernel.sources import fingerprint

_DIGEST_BYTES = 32


def cache_folder() -> Path:
    """Where compiled code is kept: `$KAKOMI_CACHE_DIR`, else `kakomi/kernels` in the XDG cache folder."""
    if own := os.environ.get("KAKOMI_CACHE_DIR"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kakomi" / "kernels"


def cached_files() -> list[Path]:
    """The files that hold compiled code."""
    return [path for path in cache_folder().glob("*.kernel") if path.is_file()]


def size_of(files: list[Path]) -> int:
    """Their bytes in all."""
    return sum(path.stat().st_size for path in files)


def clear_cache() -> tuple[int, int]:
    """Delete all compiled code; how many files and bytes that were. Raises OSError if it can't."""
    files = cached_files()
    size = size_of(files)
    if cache_folder().exists():
        for path in files:
            path.unlink(missing_ok=True)
        for leftover in cache_folder().glob("*.tmp"):
            leftover.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody else's files in it: leave the folder
            cache_folder().rmdir()
    return len(files), size


class DriverCache(_Cache):
    """Numba's cache interface for one driver compiled with one set of flags."""

    def __init__(self, function: Any, flags: str) -> None:
        self._function = function
        self._flags = flags
        self._impl = CompileResultCacheImpl(function)

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's interface; files never go stale."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled driver for a signature, or None if it isn't there or can't be used."""
        target_context.refresh()
        try:
            content = self._file(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if hashlib.sha256(payload).digest() != digest:
            return None
        try:
            return self._impl.rebuild(target_context, pickle.loads(payload))
        except Exception:  # whatever is wrong with it, compiling again is right
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled driver, if the folder lets us."""
        if not self._impl.check_cachable(data):
            return
        payload = pickle.dumps(self._impl.reduce(data), protocol=pickle.HIGHEST_PROTOCOL)
        with contextlib.suppress(OSError):
            _write_whole(self._file(sig, data.codegen), hashlib.sha256(payload).digest() + payload)

    def _file(self, sig: Any, codegen: Any) -> Path:
        arguments, _ = normalize_signature(sig)
        modules = {rules.__name__ for rules in modules_among(arguments)} | {self._function.__module__}
        parts = (
            self._function.__qualname__,
            str(sig),
            self._flags,
            codegen.magic_tuple(),
            fingerprint(*modules),
            (sys.version, numba.__version__, np.__version__, llvmlite.__version__),
        )
        name = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return cache_folder() / f"{self._function.__name__}-{name}.kernel"


def _write_whole(path: Path, content: bytes) -> None:
    """Write so that a reader, or a crash in between, never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
