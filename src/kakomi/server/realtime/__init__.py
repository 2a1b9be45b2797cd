"""Publish and subscribe for browsers, by topics that are codes; it knows no app.

A `broker` has the news of a topic, which nobody may miss; `ephemeral` messages are told at once or never, and
say who is there. `sse` sends both as server-sent events. Between the processes of a site `pubsub` brings
them: it finds news in the database, and a `redis_transport` carries what waits in `outboxes`.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial

from kakomi.server.database import once_written
from kakomi.server.realtime.broker import BROKER


def announce(code: str, news: int, *, to_bots: bool = False) -> None:
    """Tell everybody who listens to a topic of its latest news; bots only if one has to act.

    Inside a transaction it waits for the commit: who looks then finds what is announced.
    """
    once_written(partial(_announce, partial(BROKER.announce, code, news, to_bots=to_bots)))


class _Thread(threading.local):
    waiting: list[Callable[[], None]] | None = None
    """The announcements that wait, inside of `announced_afterwards`."""


_THREAD = _Thread()


@contextlib.contextmanager
def announced_afterwards() -> Iterator[None]:
    """Have what this thread announces wait until the end."""
    waiting: list[Callable[[], None]] = []
    _THREAD.waiting = waiting
    try:
        yield
    finally:
        _THREAD.waiting = None
        for announcement in waiting:
            announcement()


def _announce(announcement: Callable[[], None]) -> None:
    if _THREAD.waiting is None:
        announcement()
    else:
        _THREAD.waiting.append(announcement)


__all__ = ["BROKER", "announce", "announced_afterwards"]
