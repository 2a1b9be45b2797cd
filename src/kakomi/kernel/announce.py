"""Saying so when somebody is about to wait for a compilation."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack

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


@contextlib.contextmanager
def announced(name: str) -> Iterator[None]:
    """Enter what is to be entered while the driver of this name compiles."""
    with ExitStack() as contexts:
        for announcement in _announcements or [_plainly]:
            contexts.enter_context(announcement(name))
        yield


@contextlib.contextmanager
def _plainly(name: str) -> Iterator[None]:
    """One line a process for a person at a terminal or in a notebook, nothing for programs."""
    if not _said and (sys.stderr.isatty() or "ipykernel" in sys.modules):
        _said.add(name)
        print(
            "Kakomi compiles a game's rules the first time they are used; a few seconds ...", file=sys.stderr
        )
    yield
