"""Events and ephemeral messages through Redis: while it runs, while it is down, and when it returns."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import AsyncGenerator, Callable, Iterator

import msgspec
import pytest

from kakomi.server.realtime.broker import Broker
from kakomi.server.realtime.ephemeral import LAPSE_SECONDS, PRESENCE, EphemeralMessages, RemotePresence
from kakomi.server.realtime.pubsub import EphemeralOutbox, NewsOutbox, PubSub, RedisTransport
from kakomi.server.tables.event_stream import DRAFT, latest_news
from kakomi.server.tables.seats import THINKING, BotProgress
from server.services import missing
from server.sites import await_answers

PATIENCE = 60.0


class Redis:
    """A Redis server that a test can stop and restart."""

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
        brokers = [Broker(), Broker()]
        transports = [RedisTransport(redis.url, "kakomi:test", NewsOutbox(broker)) for broker in brokers]
        tasks = [asyncio.create_task(transport.run()) for transport in transports]
        news = brokers[1].news("table")
        heard = asyncio.ensure_future(anext(news))
        await asyncio.sleep(0)
        brokers[0].announce("table", 1)  # before Redis runs: it is queued
        redis.start()
        await until(lambda: all(transport.is_subscribed for transport in transports))
        brokers[0].announce("table", 2)
        while await heard < 2:
            heard = asyncio.ensure_future(anext(news))
        redis.kill()
        await until(lambda: not any(transport.is_subscribed for transport in transports))
        brokers[0].announce("table", 3)
        redis.start()
        await until(lambda: all(transport.is_subscribed for transport in transports))
        brokers[0].announce("table", 4)
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
        broker = Broker()
        news = broker.news("table")
        heard = asyncio.ensure_future(anext(news))
        await asyncio.sleep(0)
        for number in (3, 3, 2):
            broker.tell("table", number)
        assert await heard == 3
        heard = asyncio.ensure_future(anext(news))
        broker.tell("table", 3)
        broker.tell("table", 4)
        assert await heard == 4
        await news.aclose()

    asyncio.run(story())


async def heard(listening: AsyncGenerator[dict[str, object], None], kind: str, content: object) -> None:
    """Listen until a message with a kind and content arrives."""
    async with asyncio.timeout(PATIENCE):
        async for message in listening:
            if message.get(kind) == content:
                return


def test_messages_go_from_process_to_process(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.realtime.pubsub.REPEAT_SECONDS", 0.1)
    redis.start()

    async def story() -> None:
        processes = [EphemeralMessages(), EphemeralMessages()]
        pubsubs = [PubSub(redis.url, latest_news, Broker(), messages) for messages in processes]
        for pubsub in pubsubs:
            await pubsub.start()
        here, there = processes[0].messages("table", 1), processes[1].messages("table", 2)
        tab = processes[1].messages("table", 1)
        await asyncio.gather(*(heard(listening, PRESENCE, {1, 2}) for listening in (here, there, tab)))
        processes[0].tell("table", THINKING, BotProgress(1, 0.5))
        for listening in (here, there, tab):
            await heard(listening, THINKING, BotProgress(1, 0.5))
        processes[0].tell("table", DRAFT, ("a1", "b2"), to=1)
        await heard(tab, DRAFT, ("a1", "b2"))
        processes[0].tell("table", THINKING, BotProgress(1, 0.6))
        async with asyncio.timeout(PATIENCE):
            async for message in there:
                assert DRAFT not in message  # it is another player's
                if THINKING in message:
                    break
        await tab.aclose()
        await there.aclose()
        await heard(here, PRESENCE, {1})
        await here.aclose()
        for pubsub in pubsubs:
            await pubsub.stop()

    asyncio.run(story())


def test_who_was_at_a_process_that_fell_silent_is_away() -> None:
    moment = 0.0
    remote = RemotePresence(lambda: moment)
    remote.note("one", "table", frozenset({1}))
    remote.note("two", "table", frozenset({2, None}))
    assert remote.at("table") == {1, 2, None}
    moment = LAPSE_SECONDS
    remote.note("two", "table", frozenset({2}))
    assert remote.lapse() == []
    moment += 1
    assert remote.lapse() == ["table"]
    assert remote.at("table") == {2}
    remote.note("two", "table", frozenset())
    assert remote.at("table") == frozenset() and remote.lapse() == []


def test_so_many_tables_elsewhere_are_kept_in_mind_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.realtime.ephemeral.MOST_TOPICS", 2)
    remote = RemotePresence()
    for code in ("a", "b", "a", "c"):
        remote.note("one", code, frozenset({1}))
    assert [bool(remote.at(code)) for code in "abc"] == [True, False, True]


def test_what_can_not_be_sent_is_bounded_and_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.realtime.pubsub.MOST_PENDING", 2)
    news = NewsOutbox(Broker())
    for code, number in (("a", 1), ("b", 3), ("b", 2), ("c", 1)):
        news.post(code, number)
    taken = news.take()
    assert taken == {"b": 3, "c": 1} and not news.take()
    news.post("c", 2)
    news.handle_unsent(taken)
    assert news.take() == {"b": 3, "c": 2}


def test_what_another_version_of_the_site_says_is_left_aside() -> None:
    async def story() -> None:
        messages = EphemeralMessages()
        outbox, listening = EphemeralOutbox(messages), messages.messages("table", 1)
        assert (await anext(listening))[PRESENCE] == {1}
        outbox.receive(b'{"process": "x", "code": "table", "kind": "sneeze", "content": [1]}')
        for content in (b"", b"a", b'"a"', b'["a"]'):
            with pytest.raises(msgspec.DecodeError):
                outbox.receive(
                    b'{"process": "x", "code": "table", "kind": "presence", "content": %b}' % content
                )
        outbox.receive(b'{"process": "x", "code": "table", "kind": "presence", "content": [2]}')
        assert await anext(listening) == {PRESENCE: {1, 2}}
        await listening.aclose()

    asyncio.run(story())
