"""Browsers for tests, without a screen: cookies, forms, and what an answer says."""

import contextlib
import http.client
import json
import re
from collections.abc import Iterator, Mapping
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

BROKEN = (ConnectionError, http.client.HTTPException, TimeoutError)
"""What a request raises whose server dies; whether it was carried out one can't know then."""


class Answer(NamedTuple):
    status: int
    text: str
    location: str = ""


class Visitor:
    """Somebody with a browser. Every request goes to the port that is named: sites may have several."""

    def __init__(self) -> None:
        self._cookies: dict[str, str] = {}

    def get(self, port: int, path: str) -> Answer:
        return self._sent(port, "GET", path)

    def post(self, port: int, path: str, form: Mapping[str, object], *, by_htmx: bool = True) -> Answer:
        """Send a form; who has no token yet fetches a page that has one."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": self._token(port),
            **({"HX-Request": "true"} if by_htmx else {}),
        }
        return self._sent(port, "POST", path, urlencode(form), headers)

    def ask(self, port: int, path: str, sent: Mapping[str, object] | None = None) -> Answer:
        """Ask the API, or send something to it."""
        if sent is None:
            return self.get(port, path)
        headers = {"Content-Type": "application/json", "X-CSRFToken": self._token(port)}
        return self._sent(port, "POST", path, json.dumps(sent), headers)

    def _token(self, port: int) -> str:
        if "csrftoken" not in self._cookies:
            page = self.get(port, "/play/rin")
            assert "csrftoken" in self._cookies, page
        return self._cookies["csrftoken"]

    def act(self, port: int, code: str, form: Mapping[str, object]) -> Answer:
        """Do something at a table."""
        return self.post(port, f"/table/{code}/act", form)

    def begin(self, port: int, game: str, **wishes: object) -> str:
        """Open a table and return its code."""
        answer = self.post(port, f"/play/{game}", wishes, by_htmx=False)
        found = re.fullmatch(r"/table/(\w+)", answer.location)
        assert answer.status == 302 and found, answer
        return found[1]

    @contextlib.contextmanager
    def news(self, port: int, code: str) -> Iterator[Iterator[int]]:
        """The numbers that a table's stream of events tells, one after the other."""
        with self._events(port, f"/table/{code}/events") as events:
            yield (int(data) for kind, data in events if kind == b"table")

    @contextlib.contextmanager
    def shown(self, port: int, code: str, etags: Mapping[str, str]) -> Iterator[Iterator[dict[str, Any]]]:
        """What comes with a table's news for a page that has certain fragments."""
        has = " ".join(f"{name}={etag}" for name, etag in etags.items())
        with self._events(port, f"/table/{code}/events?{urlencode({'has': has, 'news': 0})}") as events:
            yield (json.loads(data) for kind, data in events if kind == b"shown")

    @contextlib.contextmanager
    def _events(self, port: int, path: str) -> Iterator[Iterator[tuple[bytes, bytes]]]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", path, headers={"Cookie": self._cookie})
            yield _events_of(connection.getresponse())
        finally:
            connection.close()

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def _sent(
        self, port: int, method: str, path: str, body: str | None = None, headers: Mapping[str, str] = {}
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request(method, path, body, {"Cookie": self._cookie, **headers})
            answer = connection.getresponse()
            text = answer.read().decode()
            for line in answer.headers.get_all("Set-Cookie") or ():
                self._cookies.update({name: morsel.value for name, morsel in SimpleCookie(line).items()})
            return Answer(answer.status, text, answer.headers.get("Location", ""))
        finally:
            connection.close()


def _events_of(stream: http.client.HTTPResponse) -> Iterator[tuple[bytes, bytes]]:
    """Of each event its kind and its data."""
    kind = b""
    for line in stream:
        if line.startswith(b"event: "):
            kind = line.removeprefix(b"event: ").strip()
        elif line.startswith(b"data: "):
            yield kind, line.removeprefix(b"data: ")
