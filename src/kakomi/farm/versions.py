"""The versions that must be equal on every machine, so that a piece has the same result everywhere. Workers
of a cluster refuse pieces from a sender with different versions.
"""

import hashlib
import platform
import socket
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from kakomi import __version__
from kakomi.farm.piece import do

PACKAGE = Path(__file__).parents[1]
NOT_OURS = {"server"}
"""Parts of the package that no piece uses."""


class Versions(NamedTuple):
    """The versions of a process. Processes with equal versions give equal results."""

    kakomi: str
    files: str
    """A digest of the package's files, since checkouts of the same version may differ."""
    python: str
    numpy: str
    numba: str

    def differences(self, other: "Versions") -> str:
        """The differences, as text: `numpy 2.1.0, not 2.4.1`; empty if there are none."""
        pairs = zip(self._fields, self, other, strict=True)
        return "; ".join(
            f"{'files of kakomi' if name == 'files' else name} {mine}, not {theirs}"
            for name, mine, theirs in pairs
            if mine != theirs
        )


@cache
def versions() -> Versions:
    """The versions of this process."""
    return Versions(
        kakomi=__version__,
        files=_digest(PACKAGE),
        python=platform.python_version(),
        numpy=version("numpy"),
        numba=version("numba"),
    )


def _digest(package: Path) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(package.rglob("*")):
        steps = path.relative_to(package).parts
        if steps[0] not in NOT_OURS and path.suffix != ".pyc" and path.is_file():
            digest.update("/".join(steps).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def do_there(packed: bytes, wanted: Versions) -> bytes | str:
    """Do a piece, and return its packed outcome, or the differences in versions on this machine as text."""
    if differences := versions().differences(wanted):
        return f"{socket.gethostname()} has {differences}"
    return do(packed)
