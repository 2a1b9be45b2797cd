"""Saying so when somebody is about to wait for a compilation."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

from numba.core import event

COMPILING = "numba:compile"
"""Numba's event round every compilation that found nothing on disk."""

Announcement = Callable[[str], AbstractContextManager]
"""Called with a driver's name; what it returns is entered while that driver compiles."""

_announcements: list[Announcement] = []
_said: set[str] = set()


@contextlib.contextmanager
def when_compiling(announcement: Announcement) -> Iterator[None]:
    """Enter `announcement(driver name)` round every compilation of a driver inside a `with` block."""
    _announcements.append(announcement)
    try:
        yield
    finally:
        _announcements.remove(announcement)


def announce_compilations_of(dispatcher: Any) -> None:
    """Watch the compilations of one more driver."""
    _watcher.names[dispatcher] = dispatcher.py_func.__name__


class _Watcher(event.Listener):
    """Turns Numba's events into announcements; of what a driver calls nothing is said."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self._entered: list[ExitStack] = []

    def on_start(self, event: Any) -> None:
        name = self.names.get(event.data["dispatcher"])
        if name is None:
            return
        self._entered.append(ExitStack())
        for announcement in _announcements or [_plainly]:
            self._entered[-1].enter_context(announcement(name))

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"] in self.names:
            self._entered.pop().close()


@contextlib.contextmanager
def _plainly(name: str) -> Iterator[None]:
    """One line a process for a person at a terminal or in a notebook, nothing for programs."""
    if not _said and (sys.stderr.isatty() or "ipykernel" in sys.modules):
        _said.add(name)
        print(
            "Kakomi compiles a game's rules the first time they are used; a few seconds ...", file=sys.stderr
        )
    yield


_watcher = _Watcher()
event.register(COMPILING, _watcher)
