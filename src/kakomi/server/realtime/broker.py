"""Who waits for news of which table, in this process."""

from collections.abc import AsyncGenerator, Callable, Mapping

from kakomi.server.realtime.event import ThreadEvent
from kakomi.server.realtime.subscribers import Subscribers

Carry = Callable[[str, int], None]
"""Takes a table's code and the number of its latest news to other processes; called from any thread."""


class Broker:
    """News of tables: announced from any thread, heard by coroutines.

    News is a number that only grows (a table's `news`). So a listener that is slow misses nothing by hearing
    the latest alone, and what is told twice is heard once.
    """

    def __init__(self) -> None:
        self._listeners: Subscribers[_Listener] = Subscribers()
        self._bells: set[ThreadEvent] = set()
        self._carriers: list[Carry] = []

    def announce(self, code: str, news: int, *, to_bots: bool = False) -> None:
        """Tell all who listen, here and in other processes, and ring for the bots if one has to act."""
        self.tell(code, news)
        for carry in tuple(self._carriers):
            carry(code, news)
        if to_bots:
            for bell in tuple(self._bells):
                bell.ring()

    def tell(self, code: str, news: int) -> None:
        """Tell those who listen in this process."""
        for listener in self._listeners.at(code):
            listener.tell(news)

    def tell_all(self, latest: Mapping[str, int]) -> None:
        """Tell of several tables at once."""
        for code, news in latest.items():
            self.tell(code, news)

    async def news(self, code: str) -> AsyncGenerator[int, None]:
        """The numbers that are announced for a table from now on."""
        listener = _Listener()
        with self._listeners.listening(code, listener):
            while True:
                yield await listener.next()

    def bell(self) -> ThreadEvent:
        """Something that rings whenever a bot has to act; for the event loop that asks for it."""
        bell = ThreadEvent()
        self._bells.add(bell)
        return bell

    def unhang(self, bell: ThreadEvent) -> None:
        """Ring a bell no longer."""
        self._bells.discard(bell)

    def add_carrier(self, carry: Carry) -> None:
        """From now on hand over what is announced here."""
        self._carriers.append(carry)

    def remove_carrier(self, carry: Carry) -> None:
        """Hand over nothing any more."""
        self._carriers.remove(carry)

    @property
    def listeners(self) -> int:
        """How many wait for news."""
        return len(self._listeners)

    def watched(self) -> list[str]:
        """The tables that somebody waits for news of."""
        return self._listeners.codes()


class _Listener:
    def __init__(self) -> None:
        self._bell = ThreadEvent()
        self._latest = self._heard = -1

    def tell(self, news: int) -> None:
        if news > self._latest:
            self._latest = news
            self._bell.ring()

    async def next(self) -> int:
        while self._latest <= self._heard:
            await self._bell.wait()
        self._heard = self._latest
        return self._heard


BROKER = Broker()
"""This process's."""
