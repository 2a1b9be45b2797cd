"""The gate: what is too large, too much or malformed goes no further, and is told so in its own terms."""

import asyncio
import json
from typing import Any

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore

from kakomi.server.security import request_guard as gate_module
from kakomi.server.security.headers import CONTENT_SECURITY_POLICY
from kakomi.server.security.rate_limits import (
    COSTLY,
    KINDS,
    PER_MINUTE,
    STREAMS,
    ClientId,
    Limits,
    Purpose,
    RateLimiter,
)
from kakomi.server.security.request_guard import LONGEST_ADDRESS, MOST_BODY, MOST_HEADERS, RequestGuard
from server.asgi_client import Reply, ask


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def swallow(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads what it gets and is silent when the connection is lost, as Django is."""
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d" % len(body)})


def gated(limits: str = "", clock: Clock | None = None) -> RequestGuard:
    return RequestGuard(swallow, Limits.of(limits), RateLimiter(now=clock or Clock()))


def reply_to(gate: RequestGuard, *args: Any, **kwargs: Any) -> Reply:
    return asyncio.run(ask(gate, *args, **kwargs))


def signed_in(number: int) -> dict[str, str]:
    store = SessionStore()
    store["guest"] = number
    store.save()
    return {"Cookie": f"sessionid={store.session_key}"}


def test_a_bucket_holds_a_minute_and_fills_steadily() -> None:
    clock = Clock()
    rates = RateLimiter(now=clock)
    assert [rates.take("me", 3) for _ in range(4)] == [0, 0, 0, 20]
    clock.now = 19.0
    assert rates.take("me", 3) == 1
    clock.now = 20.0
    assert rates.take("me", 3) == 0
    clock.now = 1000.0
    assert [rates.take("me", 3) for _ in range(4)] == [0, 0, 0, 20]
    assert rates.take("you", 3) == 0


def test_strangers_without_number_cost_no_memory_without_end() -> None:
    rates = RateLimiter(most=10, now=Clock())
    for number in range(100):
        rates.take(number, 1)
    assert len(rates) == 10
    assert rates.take(99, 1) > 0, "who was here last is remembered"


def test_an_address_may_do_what_five_guests_may() -> None:
    gate = gated("acts=2")
    path = "/table/abc/act"

    def statuses(times: int, **kwargs: Any) -> list[int]:
        return [reply_to(gate, path, "POST", **kwargs).status for _ in range(times)]

    assert statuses(3, headers=signed_in(1)) == [200, 200, 429]
    assert statuses(2, headers=signed_in(2)) == [200, 200]
    assert statuses(8, headers={"Authorization": "Bearer abc"})[:3] == [200, 200, 429]
    assert statuses(1, headers=signed_in(3)) == [429], "the address has had ten"
    assert statuses(1, headers=signed_in(3), address="192.0.2.2") == [200]


def test_who_is_turned_away_hears_when_to_come_back() -> None:
    clock = Clock()
    gate = gated("looks=1", clock)
    for _ in range(5):
        assert reply_to(gate).status == 200
    page = reply_to(gate, headers={"Accept": "text/html", "Accept-Language": "en"})
    assert page.status == 429
    assert page.headers["Retry-After"] == "12"
    assert page.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert b"<h1>Too many requests.</h1>" in page.body
    part = reply_to(gate, headers={"Accept": "text/html", "HX-Request": "true"})
    assert part.body == b"Too many requests. Try again in 12 s."
    problem = reply_to(gate, "/api/v1/games")
    assert json.loads(problem.body)["code"] == "too-many"
    clock.now = 12.0
    assert reply_to(gate).status == 200


def test_limits_can_be_switched_off() -> None:
    gate = gated("off")
    assert {reply_to(gate, "/play/rin", "POST").status for _ in range(500)} == {200}


def test_a_guest_is_only_who_we_signed() -> None:
    def sender(headers: list[tuple[bytes, bytes]], host: str = "192.0.2.1") -> ClientId:
        return ClientId.of({"headers": headers, "client": (host, 1)})

    cookie = signed_in(7)["Cookie"].encode()
    assert sender([(b"cookie", b"a=b"), (b"cookie", cookie)]).guest == 7
    for forged in (b"sessionid=7", cookie[:-1] + b"x", b"\xff=\xfe; sessionid=\xff", b"sessionid"):
        assert sender([(b"cookie", forged)]).guest is None
    assert sender([(b"authorization", b"Bearer " + b"x" * 500)]).guest == "x" * 64
    assert sender([], "2001:db8::1:2:3:4") == sender([], "2001:db8::9:9:9:9")
    assert sender([], "::ffff:192.0.2.1") == sender([])


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (None, ""),  # a server at a Unix socket
        (("", 0), ""),
        (("unix:/run/site", 0), "unix:/run/site"),
        (("192.0.2.1", 7), "192.0.2.1"),
        (("2001:db8:1:2:3:4:5:6", 7), "2001:db8:1:2::"),
        (("::ffff:192.0.2.1", 7), "192.0.2.1"),
    ],
)
def test_who_has_no_address_is_told_by_what_there_is(client: tuple[str, int] | None, address: str) -> None:
    assert ClientId.of({"headers": [], "client": client}) == ClientId(address)


def test_what_is_too_large_is_not_read() -> None:
    gate = gated()
    assert reply_to(gate, "/x", "POST", chunks=(b"x" * MOST_BODY,)).body == b"%d" % MOST_BODY
    assert reply_to(gate, "/x", "POST", chunks=(b"x" * MOST_BODY, b"x")).status == 413
    assert reply_to(gate, "/x", "POST", headers={"Content-Length": str(MOST_BODY + 1)}).status == 413
    assert reply_to(gate, "/x", "POST", headers={"Content-Length": "9" * 5000}).status == 413
    assert reply_to(gate, "/x", "POST", headers={"Content-Length": "-1"}).status == 400
    assert reply_to(gate, "/" + "x" * LONGEST_ADDRESS).status == 414
    assert reply_to(gate, "/", query=b"x" * LONGEST_ADDRESS).status == 414
    assert reply_to(gate, "/", headers={"X": "x" * MOST_HEADERS}).status == 431


def test_no_text_has_nul_in_it() -> None:
    assert reply_to(gated(), "/join/a\0b").status == 400
    assert reply_to(gated(), "/", query=b"a=%00").status == 400


def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_module, "BODY_SECONDS", 0.01)

    async def dawdled() -> Any:
        sent: list[Any] = []

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/x", "headers": [], "client": ("192.0.2.1", 1)}
        await gated()(scope, receive, send)
        return sent[0]["status"]

    assert asyncio.run(dawdled()) == 408


def test_streams_are_counted_while_they_are_open() -> None:
    async def scenario() -> list[int]:
        ends = asyncio.Event()

        async def stream(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await ends.wait()

        gate = RequestGuard(stream, Limits.of("listeners=2"), RateLimiter(now=Clock()))
        path, headers = "/table/abc/events", signed_in(1)
        opened = [asyncio.create_task(ask(gate, path, headers=headers)) for _ in range(3)]
        await asyncio.sleep(0)
        ends.set()
        first = sorted(reply.status for reply in await asyncio.gather(*opened))
        again = await ask(gate, path, headers=headers)
        return [*first, again.status]

    assert asyncio.run(scenario()) == [200, 200, 429, 200]


def test_every_kind_of_request_has_its_limit() -> None:
    assert {*KINDS.values(), *COSTLY.values(), "looks", "posts"} == PER_MINUTE.keys()
    assert Purpose.of("POST", "/play/rin").kind == "tables"
    assert Purpose.of("POST", "/nothing/here").kind == "posts"
    assert Purpose.of("GET", "/table/abc/events") == Purpose("looks", is_stream=True)
    assert Purpose.of("GET", "/games/kakomi-games.jsonl") == Purpose("downloads", is_stream=True)
    assert Purpose.of("GET", "/static/site.css").kind == ""


def test_names_in_the_limits_are_names_of_addresses() -> None:
    from django.urls import get_resolver

    known = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    for namespace, (_, resolver) in get_resolver().namespace_dict.items():
        known |= {f"{namespace}:{name}" for name in resolver.reverse_dict if isinstance(name, str)}
    assert {*KINDS, *COSTLY, *STREAMS} <= known
    assert {name for name in known if name.endswith("events")} <= STREAMS


@pytest.mark.parametrize("text", ["acts", "acts=", "acts=0", "acts=-1", "acts=²", "nothing=3", "on"])
def test_limits_that_make_no_sense_are_named(text: str) -> None:
    with pytest.raises(ValueError, match="KAKOMI_LIMITS"):
        Limits.of(text)


def test_websockets_are_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(gated()({"type": "websocket"}, send, send))
    assert sent == [{"type": "websocket.close"}]
