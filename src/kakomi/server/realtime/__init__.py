"""Publish and subscribe for browsers, by topics that are codes; it knows no app.

A `broker` has the news of a topic, which nobody may miss; `ephemeral` messages are told at once or never, and
say who is there. `sse` sends both as server-sent events. Between the processes of a site `pubsub` brings
them: it finds news in the database, and a `redis_transport` carries what waits in `outboxes`.
"""

from functools import partial

from kakomi.server.database import once_written
from kakomi.server.realtime.broker import BROKER


def announce(code: str, news: int, *, to_bots: bool = False) -> None:
    """Tell everybody who listens to a topic of its latest news; bots only if one has to act.

    Inside a transaction it waits for the commit: who looks then finds what is announced.
    """
    once_written(partial(BROKER.announce, code, news, to_bots=to_bots))


__all__ = ["BROKER", "announce"]
