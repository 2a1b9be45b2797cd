"""A process's subscription to news from the other processes, about every topic that it has dealt with."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from kakomi.protocol.engine_client import LoopThread
from kakomi.server.lobby import feed as lobby
from kakomi.server.realtime import BROKER
from kakomi.server.realtime.pubsub import PubSub
from kakomi.server.site.configuration import configuration
from kakomi.server.tables import event_stream as tables

PATIENCE = 60.0
"""Seconds until all news must have arrived. Without Redis they are read from the database."""


class Ears:
    """A listener in its own thread, like the pages that a process has open."""

    def __init__(self) -> None:
        self._thread = LoopThread("season-ears")
        self.heard: dict[str, int] = {}

    def open(self) -> None:
        """Start receiving news from other processes."""
        self._thread.submit(PubSub(configuration().redis_url, latest_news).start()).result()

    def listen(self, code: str) -> None:
        """Subscribe to a topic."""
        if code not in self.heard:
            self.heard[code] = 0
            self._thread.submit(self._hear(code))

    async def _hear(self, code: str) -> None:
        async for number in BROKER.news(code):
            self.heard[code] = number


EARS = Ears()
"""The listener of this process."""


def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """Topic → the number of its latest news."""
    return tables.latest_news(codes) | lobby.latest_news(codes)


def unheard() -> list[str]:
    """Wait a while for outstanding news, then describe those that never arrived."""
    until = time.monotonic() + PATIENCE
    while True:
        missing = [
            f"the news of {code} are at {number}, and {EARS.heard[code]} were heard"
            for code, number in latest_news(list(EARS.heard)).items()
            if EARS.heard[code] < number
        ]
        if not missing or time.monotonic() > until:
            return missing
        time.sleep(0.1)


COMMANDS: dict[str, Callable[..., Any]] = {"unheard": unheard}
