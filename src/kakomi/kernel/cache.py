"""Compiled drivers on disk: one file for each driver, signature, flags and fingerprint of the sources.

A file's name says all that its content depends on, so nothing in the folder can ever be stale: an
edited rule has another name. An unusable folder, a damaged file or a full disk means compiling again.
"""

import contextlib
import os
from pathlib import Path


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
        for leftover in [*cache_folder().glob("*.tmp"), *cache_folder().glob("*.lock")]:
            leftover.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody else's files in it: leave the folder
            cache_folder().rmdir()
    return len(files), size
