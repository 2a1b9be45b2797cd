"""Publish and subscribe for browsers, by topics. It imports no app.

The `broker` delivers the news of a topic, which no subscriber may miss. `ephemeral` messages are delivered at
once or never, and include presence. `sse` sends both as server-sent events. `pubsub` exchanges both between
the processes of a site: it finds news in the database, and Redis, if there is one, carries news and messages.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial

from kakomi.server.realtime.broker import BROKER
from kakomi.server.site.database import once_written


def announce(code: str, news: int, *, to_bots: bool = False) -> None:
    """Announce a topic's latest news to all subscribers, and with `to_bots` also to the bots.

    Inside a transaction this waits for the commit, so that subscribers can read what is announced.
    """
    once_written(partial(_announce, partial(BROKER.announce, code, news, to_bots=to_bots)))


class _Thread(threading.local):
    waiting: list[Callable[[], None]] | None = None
    """The deferred announcements inside `announced_afterwards`, else None."""


_THREAD = _Thread()


@contextlib.contextmanager
def announced_afterwards() -> Iterator[None]:
    """Defer this thread's announcements until the end of the block."""
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
