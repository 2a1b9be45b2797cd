"""A minimal simulated browser, cheap enough to run many: requests with cookies, forms, and event streams."""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

PATIENCE = 60.0
LONGEST_EVENT = 2**20
_ETAGS = re.compile(r'data-fragment="(\w+)" data-etag="(\w+)"')


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Browser:
    """One guest, connected to one of the site's processes."""

    port: int
    cookies: dict[str, str] = field(default_factory=lambda: {"csrftoken": secrets.token_hex(16)})
    """The CSRF token may be any value, as long as cookie and header agree."""
    etags: dict[str, str] = field(default_factory=dict)
    """The ETags of the open page's fragments, which its scripts send to the server."""
    stream: str = ""
    """The server's id of the event stream that the page is subscribed to."""

    async def get(self, path: str) -> Answer:
        return await self._asked("GET", path, "")

    async def post(self, path: str, form: Mapping[str, object]) -> Answer:
        return await self._asked("POST", path, urlencode(form))

    async def news(self, path: str, news: int) -> AsyncIterator[tuple[int, bool]]:
        """Yield the news numbers in a table's event stream, each with whether the event updated the page."""
        has = " ".join(f"{name}={value}" for name, value in self.etags.items())
        async for kind, data in self.events(f"{path}?{urlencode({'news': news, 'has': has, 'game': ''})}"):
            if kind == b"stream":
                self.stream = json.loads(data)
            elif kind == b"table":
                yield int(data), False
            elif kind == b"shown":
                shown = json.loads(data)
                yield shown["news"], self._take(shown["html"], shown["keeps"])

    def _take(self, html: str, keeps: str) -> bool:
        """Apply the HTML of an event if it fits the page; return whether it did."""
        if not {(name, etag) for name, _, etag in (pair.partition("=") for pair in keeps.split())} <= set(
            self.etags.items()
        ):
            return False
        self.etags.update(_ETAGS.findall(html))
        return True

    async def events(self, path: str) -> AsyncIterator[tuple[bytes, bytes]]:
        """Yield the kind and the data of each event of a stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=LONGEST_EVENT)
        try:
            writer.write(self._request("GET", path, ""))
            kind = b""
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    kind = line[7:].strip()
                elif line.startswith(b"data: "):
                    yield kind, line[6:]
        finally:
            writer.close()

    async def _asked(self, method: str, path: str, body: str) -> Answer:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(self._request(method, path, body))
                answer = self._answer(await reader.read())
                self.etags.update(_ETAGS.findall(answer.text))
                return answer
            finally:
                writer.close()

    def _request(self, method: str, path: str, body: str) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        has = " ".join(f"{name}={value}" for name, value in self.etags.items())
        return (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nHX-Request: true\r\n"
            f"Kakomi-Etags: {has}\r\nKakomi-Stream: {self.stream}\r\n"
            f"Cookie: {cookies}\r\nX-CSRFToken: {self.cookies['csrftoken']}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    def _answer(self, data: bytes) -> Answer:
        head, _, text = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
            if name.lower() == "set-cookie":
                cookie, _, _ = value.partition(";")
                name, _, value = cookie.partition("=")
                self.cookies[name] = value
        return Answer(int(first.split()[1]), headers, text.decode())
