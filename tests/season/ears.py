"""What a process of a season hears of the others: the news of everything that it has had to do with."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from kakomi.protocol.engine_client import LoopThread
from kakomi.server.configuration import configuration
from kakomi.server.lobby import news as lobby
from kakomi.server.realtime import BROKER
from kakomi.server.realtime.pubsub import PubSub
from kakomi.server.tables import event_stream as tables

PATIENCE = 60.0
"""Seconds until all news have been heard; without Redis they come from the database."""


class Ears:
    """Listens in a thread of its own, as the pages that a process has open do."""

    def __init__(self) -> None:
        self._thread = LoopThread("season-ears")
        self.heard: dict[str, int] = {}

    def open(self) -> None:
        """Begin to bring news of other processes."""
        self._thread.submit(PubSub(configuration().redis_url, latest_news).start()).result()

    def listen(self, code: str) -> None:
        """Listen to a topic from now on."""
        if code not in self.heard:
            self.heard[code] = 0
            self._thread.submit(self._hear(code))

    async def _hear(self, code: str) -> None:
        async for number in BROKER.news(code):
            self.heard[code] = number


EARS = Ears()
"""This process's."""


def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of topics' latest news."""
    return tables.latest_news(codes) | lobby.latest_news(codes)


def unheard() -> list[str]:
    """News that never came here, each in a sentence; one waits some time for them."""
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
