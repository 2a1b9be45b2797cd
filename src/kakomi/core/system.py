"""The operating system: cores, folders, atomic replacement of files, exclusive use of objects."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    import numpy as np

Method = TypeVar("Method", bound=Callable[..., Any])


def cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def state_folder() -> Path:
    """The folder for data that programs keep between runs: `kakomi` in the XDG state folder. Raises OSError
    as `user_folder` does."""
    return user_folder("XDG_STATE_HOME", ".local/state")


def user_folder(variable: str, usual: str) -> Path:
    """`kakomi` in the folder that an environment variable names, by default `usual` in the home directory.
    Raises OSError, saying what to do, for a user without a home directory."""
    if base := os.environ.get(variable):
        return Path(base, "kakomi")
    try:
        return Path.home() / usual / "kakomi"
    except RuntimeError:
        told = f"there is no home directory to save anything in; set {variable} to a folder"
        raise FileNotFoundError(errno.ENOENT, told) from None


def arrays_in(path: str | os.PathLike[str]) -> dict[str, "np.ndarray"]:
    """The arrays of an `.npz` file, by name. Raises ValueError, with the reason, if it can't be read."""
    import numpy as np

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as kept:
            return {name: np.asarray(kept[name]) for name in kept.files}
    except OSError as error:
        raise ValueError(f"it can't be read ({error.strerror or error})") from None
    except Exception:  # on a damaged archive, zipfile, zlib and NumPy raise almost anything
        raise ValueError("it is not an archive of arrays, or a damaged one") from None


_IN_USE: dict[int, object] = {}
"""Id of an object in use -> a unique object of the call that uses it."""


def one_at_a_time(method: Method, used: Callable[[Any], object] = lambda self: self) -> Method:
    """Wrap a method so that only one call at a time can use an object, by default the method's own, because
    calls write to the same arrays. `used` returns the object.

    A second call, in another thread or nested in the first, raises RuntimeError.
    """

    @wraps(method)
    def alone(self: Any, *args: Any, **named: Any) -> Any:
        key, mark = id(used(self)), object()
        if _IN_USE.setdefault(key, mark) is not mark:
            what = f"this {type(used(self)).__name__} is in use"
            raise RuntimeError(
                f"{what}, by another thread or by a call that has not ended; make one for each"
            )
        try:
            return method(self, *args, **named)
        finally:
            del _IN_USE[key]

    return cast("Method", alone)


def replace_file(path: str | os.PathLike[str], data: bytes, *, mode: int | None = None) -> None:
    """Write a file atomically, as `replacing` does. Raises OSError naming the file."""
    with replacing(path, mode=mode) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, mode: int | None = None) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces the one at `path` once all of it is on disk.

    If the block fails, the old file stays unchanged. The new file has the permissions `mode`, else those of
    the old file. A device or a pipe is written to directly. Raises OSError naming the file.
    """
    target = Path(os.path.realpath(path))
    with naming(path):
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:
                yield file
        else:
            yield from _written_beside(target, mode)


@contextlib.contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Add the file's name to an OSError raised in the block, as errors of writes have none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None


def _written_beside(target: Path, mode: int | None) -> Iterator[IO[bytes]]:
    beside = target.with_name(f".kakomi-{secrets.token_hex(8)}")
    wanted = stat.S_IMODE(target.stat().st_mode) if mode is None and target.exists() else mode
    try:
        with open(beside, "xb", opener=_opener(mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if wanted is not None:
            beside.chmod(wanted)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _opener(mode: int | None) -> Callable[[str, int], int]:
    """An opener with no more permissions than the finished file will have."""
    return lambda path, flags: os.open(path, flags, 0o666 if mode is None else mode)


def _sync_folder(folder: Path) -> None:
    """Sync the folder, where that is possible, so that the new name survives a power cut."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
