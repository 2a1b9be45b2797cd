"""The clock of a season, read by all its processes."""

import mmap
import struct
from pathlib import Path

_FORMAT = "<d"


class SharedClock:
    """Seconds since the epoch in a file, set by one process and read by the others."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(struct.pack(_FORMAT, 0.0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), struct.calcsize(_FORMAT))

    def now(self) -> float:
        """The current time."""
        return float(struct.unpack(_FORMAT, self._memory[:])[0])

    def set(self, now: float) -> None:
        """Set the time for all processes."""
        self._memory[:] = struct.pack(_FORMAT, now)
