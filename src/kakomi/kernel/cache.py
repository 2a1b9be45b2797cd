"""Compiled drivers on disk: one file for each driver, signature, flags and fingerprint of the sources.

A file's name says all that its content depends on, so nothing in the folder can ever be stale: an
edited rule has another name. An unusable folder, a damaged file or a full disk means compiling again.
"""

import contextlib
import os
from pathlib import Path

NO_FOLDER = "there is no home directory, and no KAKOMI_CACHE_DIR that names a folder"


def cache_folder() -> Path | None:
    """The folder of compiled code: `$KAKOMI_CACHE_DIR`, or `kakomi/kernels` in the XDG cache folder.

    None if the user has no home directory and neither variable is set.
    """
    if own := os.environ.get("KAKOMI_CACHE_DIR"):
        return Path(own)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base, "kakomi", "kernels")
    try:
        return Path.home() / ".cache" / "kakomi" / "kernels"
    except RuntimeError:
        return None


def cached_files(suffixes: tuple[str, ...] = (".kernel",)) -> list[Path]:
    """The files that hold compiled code. Raises OSError for a folder that can't be read."""
    try:
        folder = cache_folder()
        names = os.listdir(folder) if folder else []
    except FileNotFoundError:
        return []
    return [
        path for name in names if folder and (path := folder / name).suffix in suffixes and path.is_file()
    ]


def size_of(files: list[Path]) -> int:
    """Their bytes in all."""
    return sum(path.stat().st_size for path in files)


def clear_cache() -> tuple[int, int]:
    """Delete all compiled code; how many files and bytes that were. Raises OSError if it can't."""
    files = cached_files()
    size = size_of(files)
    for path in [*files, *cached_files((".tmp", ".lock"))]:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # somebody else's files in it: leave the folder
        if folder := cache_folder():
            folder.rmdir()
    return len(files), size
