"""Requests to the application as a server would pass them on, without a server."""

from dataclasses import dataclass, field
from typing import Any

from kakomi.server.site.django_private import Application


@dataclass
class Reply:
    """What came back."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


async def ask(
    application: Application,
    path: str = "/",
    method: str = "GET",
    *,
    query: bytes = b"",
    headers: dict[str, str] | None = None,
    chunks: tuple[bytes, ...] = (b"",),
    address: str = "192.0.2.1",
) -> Reply:
    """Send a request, its body in pieces, and wait for the whole answer; afterwards the client is gone."""
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "scheme": "http",
        "server": ("localhost", 80),
        "client": (address, 1234),
        "headers": [(b"host", b"localhost")]
        + [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()],
    }
    waiting = list(chunks)
    reply = Reply()

    async def receive() -> dict[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {name.decode().title(): value.decode() for name, value in message["headers"]}
        else:
            reply.body += message.get("body", b"")

    await application(scope, receive, send)
    return reply
