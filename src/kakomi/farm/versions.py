"""What has to be the same on every machine, so that a piece has the same result wherever it is done. Workers
of a cluster do pieces only if their versions are those of the sender.
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
"""Parts of the package in which no piece is done."""


class Versions(NamedTuple):
    """Of this process. Two that are equal come to the same."""

    kakomi: str
    files: str
    """A digest of the package: checkouts of one version differ."""
    python: str
    numpy: str
    numba: str

    def differences(self, other: "Versions") -> str:
        """What is different here, in words: `numpy 2.1.0, not 2.4.1`. Empty if nothing is."""
        pairs = zip(self._fields, self, other, strict=True)
        return "; ".join(
            f"{'files of kakomi' if name == 'files' else name} {mine}, not {theirs}"
            for name, mine, theirs in pairs
            if mine != theirs
        )


@cache
def versions() -> Versions:
    """Those of this process."""
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
    """Do a piece: its packed outcome, or in words what is different on this machine."""
    if differences := versions().differences(wanted):
        return f"{socket.gethostname()} has {differences}"
    return do(packed)
