"""Who listens to which table, in this process."""

import contextlib
import threading
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Listener = TypeVar("Listener", bound=Hashable)


class Subscribers(Generic[Listener]):
    """Those who listen, by the code of their table; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Listener]] = {}

    @contextlib.contextmanager
    def listening(self, code: str, listener: Listener) -> Iterator[None]:
        """Count somebody among those who listen to a table."""
        with self._lock:
            self._listeners.setdefault(code, set()).add(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners[code].discard(listener)
                if not self._listeners[code]:
                    del self._listeners[code]

    def at(self, code: str) -> tuple[Listener, ...]:
        """Who listens to a table."""
        with self._lock:
            return tuple(self._listeners.get(code, ()))

    def codes(self) -> list[str]:
        """The tables that somebody listens to."""
        with self._lock:
            return list(self._listeners)

    def __len__(self) -> int:
        with self._lock:
            return sum(map(len, self._listeners.values()))
