"""A fake push service of a browser maker."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Received:
    """The posts that the service received, their paths, and the status codes for it to respond with."""

    def __init__(self) -> None:
        self.posts: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        self.statuses: list[int] = []


@contextmanager
def program() -> Iterator[tuple[Received, str]]:
    """A running service, and its address."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.posts.append((dict(self.headers), body))
            received.paths.append(self.path)
            self.send_response(received.statuses.pop(0) if received.statuses else 204)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield received, f"http://127.0.0.1:{server.server_port}/hook?a=1"
        finally:
            server.shutdown()
