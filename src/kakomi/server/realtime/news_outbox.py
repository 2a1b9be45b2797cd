"""News of tables as letters to other processes."""

from collections.abc import Callable, Hashable, Mapping

from kakomi.server.realtime.broker import Broker
from kakomi.server.realtime.outbox import Outbox


class NewsOutbox(Outbox[int]):
    """Carries the number of every table's latest news; whoever misses one finds it in the database."""

    topic = "news"

    def __init__(self, hub: Broker) -> None:
        super().__init__()
        self._hub = hub

    def open(self, wake: Callable[[], None]) -> None:
        """Gather what is announced from now on."""
        super().open(wake)
        self._hub.add_carrier(self.post)

    def close(self) -> None:
        """Gather nothing any more."""
        self._hub.remove_carrier(self.post)
        super().close()

    def of_two(self, former: int, latter: int) -> int:
        """The latest, in whatever order threads tell of them."""
        return max(former, latter)

    def come_back(self, letters: Mapping[Hashable, int]) -> None:
        """They are sent when that is possible again."""
        for code, news in letters.items():
            self.post(code, news)

    def spelled(self, name: Hashable, letter: int) -> bytes:
        """A code and a number."""
        return f"{name} {letter}".encode()

    def arrived(self, said: bytes) -> None:
        """Tell those who listen in this process."""
        code, news = said.decode().split()
        self._hub.tell(code, int(news))
