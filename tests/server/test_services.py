"""News carried by Redis: while it is there, while it is away, and when it comes back."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator

import pytest

from kakomi.server.live.courier import Courier
from kakomi.server.live.hub import Hub
from server.services import missing
from server.sites import await_answers

PATIENCE = 60.0


class Redis:
    """A server of our own, which may be ended and started again."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self._process = process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        await_answers(self.port, lambda: process.poll() is None)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
def redis() -> Iterator[Redis]:
    if not shutil.which("redis-server"):
        missing("there is no program redis-server")
    server = Redis()
    yield server
    server.kill()


async def until(happens: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happens():
            await asyncio.sleep(0.01)


def test_news_go_from_hub_to_hub_whenever_redis_is_there(redis: Redis) -> None:
    async def story() -> None:
        hubs = [Hub(), Hub()]
        couriers = [Courier(hub, redis.url, "kakomi:test") for hub in hubs]
        tasks = [asyncio.create_task(courier.run()) for courier in couriers]
        news = hubs[1].news("table")
        heard = asyncio.ensure_future(anext(news))
        await asyncio.sleep(0)
        hubs[0].announce("table", 1)  # before there is a Redis: it is kept
        redis.start()
        await until(lambda: all(courier.hears for courier in couriers))
        hubs[0].announce("table", 2)
        while await heard < 2:
            heard = asyncio.ensure_future(anext(news))
        redis.kill()
        await until(lambda: not any(courier.hears for courier in couriers))
        hubs[0].announce("table", 3)
        redis.start()
        await until(lambda: all(courier.hears for courier in couriers))
        hubs[0].announce("table", 4)
        async with asyncio.timeout(PATIENCE):
            while await anext(news) < 4:
                pass
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await news.aclose()

    asyncio.run(story())


def test_what_is_told_twice_is_heard_once() -> None:
    async def story() -> None:
        hub = Hub()
        news = hub.news("table")
        heard = asyncio.ensure_future(anext(news))
        await asyncio.sleep(0)
        for number in (3, 3, 2):
            hub.tell("table", number)
        assert await heard == 3
        heard = asyncio.ensure_future(anext(news))
        hub.tell("table", 3)
        hub.tell("table", 4)
        assert await heard == 4
        await news.aclose()

    asyncio.run(story())
