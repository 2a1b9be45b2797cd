"""Refuses requests that are too large, too frequent or malformed before Django sees them, and says why."""

import asyncio
import json
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from kakomi.server.security.headers import HEADERS
from kakomi.server.security.rate_limits import ADDRESS_FACTOR, ClientId, Limits, Purpose, RateLimiter, header
from kakomi.server.site.django_private import Application, Receive, Scope, Send

TITLES = {
    400: gettext_noop("Invalid request."),
    408: gettext_noop("The request took too long."),
    413: gettext_noop("The request is too large."),
    414: gettext_noop("The address is too long."),
    429: gettext_noop("Too many requests."),
    431: gettext_noop("The request headers are too long."),
}
CODES = {
    400: "malformed",
    408: "too-slow",
    413: "too-large",
    414: "too-long",
    429: "too-many",
    431: "too-long",
}


@dataclass(frozen=True)
class Refusal:
    """The reason for refusing a request."""

    status: int
    """A key of `TITLES`."""
    wait: int = 0
    """Seconds until the next attempt makes sense; 0 if none does."""

    def messages(self, scope: Scope) -> list[dict[str, Any]]:
        """The response as ASGI messages: a page, or plain text or JSON for scripts and programs."""
        kind, body = self._content(scope)
        headers = {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}
        headers |= {"Cache-Control": "no-store", "Connection": "close"}
        if self.wait:
            headers["Retry-After"] = str(self.wait)
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        start = {"type": "http.response.start", "status": self.status, "headers": encoded}
        return [start, {"type": "http.response.body", "body": body}]

    def _content(self, scope: Scope) -> tuple[str, bytes]:
        language = _language(scope)
        if scope["path"].startswith("/api/"):
            problem = {"code": CODES[self.status], "message": self._message(language)}
            return "application/json", json.dumps(problem).encode()
        if header(scope, b"hx-request") or "text/html" not in header(scope, b"accept"):
            return "text/plain; charset=utf-8", self._message(language).encode()
        return "text/html; charset=utf-8", _page(self.status, self.wait, language)

    def _message(self, language: str) -> str:
        with translation.override(language):
            title = _(TITLES[self.status])
            if not self.wait:
                return title
            return " ".join((title, _("Try again in %(seconds)d s.") % {"seconds": self.wait}))


@cache
def _page(status: int, wait: int, language: str) -> bytes:
    """The page of a refusal. Cached, as refused senders return soon and there are few languages and waits."""
    with translation.override(language):
        shown = {"title": _(TITLES[status]), "wait": wait}
        return render_to_string("security/refused.html", shown).encode()


def _language(scope: Scope) -> str:
    for wish in header(scope, b"accept-language")[:100].split(","):
        try:
            return translation.get_supported_language_variant(wish.partition(";")[0].strip())
        except LookupError:
            continue
    return "en"


MOST_BODY = 1_048_576
"""The most bytes of a request's body; the record of the longest game has a tenth of it."""
LONGEST_ADDRESS = 8_192
"""The most bytes of a path and its query; the longest position in a link has about a thousand."""
MOST_HEADERS = 32_768
"""The most bytes of all headers together."""
BODY_SECONDS = 20.0
"""The most seconds that a body may take to arrive."""
LISTENER_WAIT = 15
"""The seconds until a sender with too many streams may try again."""


class RequestGuard:
    """An ASGI application that wraps another one. It counts requests in memory, for this process only.

    So several processes allow several times as much, which they can handle. A count in Redis would cost every
    request a round trip, to prevent a load that each process can handle by itself.
    """

    def __init__(self, application: Application, limits: Limits, rates: RateLimiter | None = None) -> None:
        self._application = application
        self._limits = limits
        self._rates = RateLimiter() if rates is None else rates
        self._streams: Counter[Hashable] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await send({"type": "websocket.close"})  # the site doesn't use websockets
            return
        sender, purpose = ClientId.of(scope), Purpose.of(scope["method"], scope["path"])
        refusal = _check_format(scope) or self._check_rate(sender, purpose)
        if refusal:
            await _send_refusal(refusal, scope, send)
        elif purpose.is_stream:
            await self._serve_stream(sender, scope, receive, send)
        else:
            await self._pass_on(scope, receive, send)

    def _check_rate(self, sender: ClientId, purpose: Purpose) -> Refusal | None:
        if not self._limits.is_on or not purpose.kind:
            return None
        kinds = {purpose.kind}
        if sender.guest is None and purpose.makes_guests:
            kinds.add("guests")  # the request may create a guest
        waits = [self._wait(sender, kind) for kind in sorted(kinds)]
        return Refusal(429, max(waits)) if any(waits) else None

    def _wait(self, sender: ClientId, kind: str) -> int:
        allowed = self._limits.per_minute[kind]
        wait = self._rates.take((kind, sender.address), allowed * ADDRESS_FACTOR)
        if not wait and sender.guest is not None:
            wait = self._rates.take((kind, "guest", sender.guest), allowed)
        return wait

    async def _serve_stream(self, sender: ClientId, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._limits.listeners
        open_to: dict[Hashable, int] = {("address", sender.address): most * ADDRESS_FACTOR}
        if sender.guest is not None:
            open_to["guest", sender.guest] = most
        if self._limits.is_on and any(self._streams[who] >= most for who, most in open_to.items()):
            await _send_refusal(Refusal(429, LISTENER_WAIT), scope, send)
            return
        self._streams.update(open_to.keys())
        try:
            await self._pass_on(scope, receive, send)
        finally:
            self._streams.subtract(open_to.keys())
            for who in open_to:
                if not self._streams[who]:
                    del self._streams[who]

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(receive)
        await self._application(scope, body.receive, send)
        if body.refusal:
            await _send_refusal(body.refusal, scope, send)


class _Body:
    """A body being received. If it has to be refused, the application sees a lost connection, and so sends no
    response."""

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


def _check_format(scope: Scope) -> Refusal | None:
    """The refusal of a request because of its URL or headers, or None."""
    path, query = scope.get("raw_path") or scope["path"].encode(), scope.get("query_string", b"")
    if len(path) + len(query) > LONGEST_ADDRESS:
        return Refusal(414)
    if "\0" in scope["path"] or b"\0" in query or b"%00" in query:
        return Refusal(400)  # no URL here contains NUL, and databases don't accept it in texts
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
        return Refusal(431)
    length = header(scope, b"content-length")
    if length and not (length.isascii() and length.isdigit()):
        return Refusal(400)
    return Refusal(413) if int(length[:20] or 0) > MOST_BODY else None


async def _send_refusal(refusal: Refusal, scope: Scope, send: Send) -> None:
    for message in refusal.messages(scope):
        await send(message)
