"""The gate before Django: it refuses requests that are too large, too many or malformed."""

import asyncio
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from kakomi.server.asgi_types import Application, Receive, Scope, Send
from kakomi.server.security.client_id import ClientId, header
from kakomi.server.security.rate_limits import ADDRESS_FACTOR, Limits, Purpose, RateLimiter
from kakomi.server.security.refusal import Refusal

MOST_BODY = 1_048_576
"""Bytes of a request's body: the record of the longest game is a tenth of it."""
LONGEST_ADDRESS = 8_192
"""Bytes of a path and its query; the longest position in a link has about a thousand."""
MOST_HEADERS = 32_768
"""Bytes of all headers together."""
BODY_SECONDS = 20.0
"""Seconds that a body may take to arrive."""
LISTENER_WAIT = 15
"""Seconds until a sender with too many streams may try again."""


class RequestGuard:
    """An ASGI application round another one. All it counts, it counts in memory, for this process alone.

    Several processes therefore allow several times as much, which is what they can bear; a count in Redis
    would cost every request a round trip to defend against what a process can shrug off by itself.
    """

    def __init__(self, application: Application, limits: Limits, rates: RateLimiter | None = None) -> None:
        self._application = application
        self._limits = limits
        self._rates = RateLimiter() if rates is None else rates
        self._listening: Counter[Hashable] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await send({"type": "websocket.close"})  # there are none here
            return
        sender, purpose = ClientId.of(scope), Purpose.of(scope["method"], scope["path"])
        refusal = _flaw(scope) or self._excess(sender, purpose)
        if refusal:
            await _answer(refusal, scope, send)
        elif purpose.is_stream:
            await self._listen(sender, scope, receive, send)
        else:
            await self._pass_on(scope, receive, send)

    def _excess(self, sender: ClientId, purpose: Purpose) -> Refusal | None:
        if not self._limits.is_on or not purpose.kind:
            return None
        kinds = {purpose.kind}
        if sender.guest is None and purpose.makes_guests:
            kinds.add("guests")  # who is nobody yet is somebody afterwards
        waits = [self._wait(sender, kind) for kind in sorted(kinds)]
        return Refusal(429, max(waits)) if any(waits) else None

    def _wait(self, sender: ClientId, kind: str) -> int:
        allowed = self._limits.per_minute[kind]
        wait = self._rates.take((kind, sender.address), allowed * ADDRESS_FACTOR)
        if not wait and sender.guest is not None:
            wait = self._rates.take((kind, "guest", sender.guest), allowed)
        return wait

    async def _listen(self, sender: ClientId, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._limits.listeners
        open_to: dict[Hashable, int] = {("address", sender.address): most * ADDRESS_FACTOR}
        if sender.guest is not None:
            open_to["guest", sender.guest] = most
        if self._limits.is_on and any(self._listening[who] >= most for who, most in open_to.items()):
            await _answer(Refusal(429, LISTENER_WAIT), scope, send)
            return
        self._listening.update(open_to.keys())
        try:
            await self._pass_on(scope, receive, send)
        finally:
            self._listening.subtract(open_to.keys())
            for who in open_to:
                if not self._listening[who]:
                    del self._listening[who]

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(receive)
        await self._application(scope, body.receive, send)
        if body.refusal:
            await _answer(body.refusal, scope, send)


class _Body:
    """A body on its way in. One that has to be refused looks to the application like a lost connection,
    on which it says nothing."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0
        self._is_complete = False
        self._until = asyncio.get_running_loop().time() + BODY_SECONDS
        self.refusal: Refusal | None = None

    async def receive(self) -> Mapping[str, Any]:
        if self._is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            return self._refused(408)
        self._bytes += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
        return self._refused(413) if self._bytes > MOST_BODY else message

    def _refused(self, status: int) -> Mapping[str, Any]:
        self.refusal = Refusal(status)
        return {"type": "http.disconnect"}


def _flaw(scope: Scope) -> Refusal | None:
    """The refusal of a request by its head, if any."""
    path, query = scope.get("raw_path") or scope["path"].encode(), scope.get("query_string", b"")
    if len(path) + len(query) > LONGEST_ADDRESS:
        return Refusal(414)
    if "\0" in scope["path"] or b"\0" in query or b"%00" in query:
        return Refusal(400)  # nothing here is called so, and databases take no such text
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
        return Refusal(431)
    length = header(scope, b"content-length")
    if length and not (length.isascii() and length.isdigit()):
        return Refusal(400)
    return Refusal(413) if int(length[:20] or 0) > MOST_BODY else None


async def _answer(refusal: Refusal, scope: Scope, send: Send) -> None:
    for message in refusal.messages(scope):
        await send(message)
