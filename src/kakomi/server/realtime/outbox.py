"""What goes from process to process."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from typing import ClassVar, Generic, TypeVar

MOST_PENDING = 10_000
"""While it can't be sent no more is kept, the oldest left out first."""

Letter = TypeVar("Letter")


class Outbox(ABC, Generic[Letter]):
    """Letters of one kind, gathered from any thread until somebody takes and sends them.

    Each has a name, and of a name only one letter is sent at a time.
    """

    topic: ClassVar[str]
    """What its channel is called."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending: dict[Hashable, Letter] = {}
        self._wake: Callable[[], None] = lambda: None

    def open(self, wake: Callable[[], None]) -> None:
        """Gather what is to be sent from now on, and wake whoever sends it."""
        self._wake = wake

    def close(self) -> None:
        """Gather nothing any more."""
        self._wake = lambda: None

    def post(self, name: Hashable, letter: Letter) -> None:
        """Have a letter sent."""
        with self._lock:
            former = self._pending.pop(name, None)
            self._pending[name] = letter if former is None else self.of_two(former, letter)
            while len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]
        self._wake()

    def take(self) -> dict[Hashable, Letter]:
        """All that is to be sent, which is now the taker's business."""
        with self._lock:
            taken, self._pending = self._pending, {}
        return taken

    def of_two(self, former: Letter, latter: Letter) -> Letter:
        """Which of two letters of the same name is to be sent."""
        del former
        return latter

    @abstractmethod
    def come_back(self, letters: Mapping[Hashable, Letter]) -> None:
        """What could not be sent."""

    @abstractmethod
    def spelled(self, name: Hashable, letter: Letter) -> bytes:
        """A letter as it is sent."""

    @abstractmethod
    def arrived(self, said: bytes) -> None:
        """A letter of this or another process. Raises ValueError for what is none."""
