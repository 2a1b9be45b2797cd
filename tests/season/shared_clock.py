"""The time of a season, which all its processes read."""

import mmap
import struct
from pathlib import Path

_FORMAT = "<d"


class SharedClock:
    """Seconds since the epoch in a file: one process sets it, others read it."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(struct.pack(_FORMAT, 0.0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), struct.calcsize(_FORMAT))

    def now(self) -> float:
        """The time."""
        return float(struct.unpack(_FORMAT, self._memory[:])[0])

    def set(self, now: float) -> None:
        """Set it for everybody."""
        self._memory[:] = struct.pack(_FORMAT, now)
