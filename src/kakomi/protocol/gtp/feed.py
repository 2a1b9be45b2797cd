"""Lines as they come in, so that an analysis can end when the next one is there."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator

MOST_WAITING = 1000
"""So many lines wait at most; while they do, no further one is read."""


class Feed:
    """Reads lines in a thread of its own and gives them one after the other."""

    def __init__(self, lines: Iterable[bytes | None]) -> None:
        self._lines = lines
        self._waiting: deque[bytes | None] = deque()
        self._has_ended = False
        self._change = threading.Condition()
        self.arrived = threading.Event()
        """Set while a line waits, or nothing more will come."""
        threading.Thread(target=self._read, daemon=True).start()

    def __iter__(self) -> Iterator[bytes | None]:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._has_ended)
                if not self._waiting:
                    return
                line = self._waiting.popleft()
                if not self._waiting and not self._has_ended:
                    self.arrived.clear()
                self._change.notify_all()
            yield line

    def _read(self) -> None:
        try:
            for line in self._lines:
                with self._change:
                    self._change.wait_for(lambda: len(self._waiting) < MOST_WAITING)
                    self._waiting.append(line)
                    self.arrived.set()
                    self._change.notify_all()
        finally:
            with self._change:
                self._has_ended = True
                self.arrived.set()
                self._change.notify_all()
