"""Starting the site where something has the port already."""

import gc
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest.mock import patch

import click
import pytest
import uvicorn

from kakomi.server import running

HOST = "127.0.0.1"


class ServedError(Exception):
    """The site would have served here."""


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The pages that a browser was told to open; and no site is really served."""
    pages: list[str] = []

    def run(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        assert not gc.isenabled(), "it is asked to wait until the site has started"
        port = sockets[0].getsockname()[1]
        sockets[0].close()
        raise ServedError(port)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    # It would close every handler there is, and absl's closes pytest's standard error with it.
    monkeypatch.setattr(uvicorn.Config, "configure_logging", lambda _: None)
    monkeypatch.setattr(running, "prepare_database", lambda: None)
    monkeypatch.setattr("webbrowser.open", pages.append)
    # What the site says to its processes is not for the tests that follow, nor for the sites that they start.
    with patch.dict(os.environ, {"KAKOMI_KERNEL": "compiled"}):
        yield pages
    gc.enable()


def answering(body: bytes) -> Iterator[int]:
    """A port where a program answers with one page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer((HOST, 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def stranger() -> Iterator[int]:
    yield from answering(b"<title>Something else</title>")


@pytest.fixture
def kakomi() -> Iterator[int]:
    yield from answering("<title>Five games of enclosure · Kakomi</title>".encode())


def test_where_kakomi_serves_already_its_page_is_opened(kakomi: int, opened: list[str]) -> None:
    running.serve(HOST, kakomi, or_another=True, open_browser=True)
    assert opened == [f"http://localhost:{kakomi}/"]


def test_another_port_is_found_and_told(stranger: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ServedError) as served:
        running.serve(HOST, stranger, or_another=True, open_browser=False)
    (port,) = served.value.args
    said = capsys.readouterr()
    assert port != stranger
    assert f"http://localhost:{port}/" in said.out
    assert f"{stranger} is taken by another program" in said.err


def test_a_browser_is_sent_there_once_the_site_serves(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    class AtOnce(threading.Timer):
        def start(self) -> None:
            self.function(*self.args)

    monkeypatch.setattr(threading, "Timer", AtOnce)
    with pytest.raises(ServedError) as served:
        running.serve(HOST, 0, or_another=False, open_browser=True)
    assert opened == [f"http://localhost:{served.value.args[0]}/"]


def test_what_answers_with_no_page_is_not_ours() -> None:
    assert not running._is_kakomi(f"http://{HOST}:1/")
    with socket.create_server((HOST, 0)) as other:

        def greet() -> None:
            with other.accept()[0] as visitor:
                visitor.sendall(b"SSH-2.0\r\n")

        thread = threading.Thread(target=greet)
        thread.start()
        assert not running._is_kakomi(f"http://{HOST}:{other.getsockname()[1]}/")
        thread.join()


def test_limits_that_make_no_sense_are_named_before_the_site_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise ValueError("no limit is called 'guess'")

    monkeypatch.setattr("kakomi.server.security.rate_limits.limits_here", refuse)
    with pytest.raises(click.ClickException, match="no limit is called 'guess'"):
        running._check_settings()


def test_a_port_that_was_asked_for_is_not_replaced(stranger: int) -> None:
    with pytest.raises(click.ClickException, match=f"port {stranger} is taken .* --port"):
        running.serve(HOST, stranger, or_another=False, open_browser=False)


def test_the_home_page_is_known_as_ours(client: object, db: None) -> None:
    page = client.get("/").content  # type: ignore[attr-defined]
    assert b"Kakomi</title>" in page[:10_000]


HEAVY = (
    "numba numpy.polynomial numpy.random ninja pydantic fido2 http_ece py_vapid PIL resvg_py segno"
    " redis psycopg"
)


def test_a_site_starts_without_what_single_pages_and_jobs_need(tmp_path: Path) -> None:
    code = f"import sys, kakomi.server.asgi; print(*sorted(set({HEAVY!r}.split()) & set(sys.modules)))"
    env = {"KAKOMI_DATA_DIR": str(tmp_path), "PATH": ""}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert ran.stdout.strip() == ""


def test_a_site_compiles_nothing_itself(tmp_path: Path) -> None:
    code = (
        "from kakomi.server import running; running.complete_environment();"
        "from kakomi import catalog; print(*[catalog.game(name).start().turn for name in catalog.names()])"
    )
    env = {key: value for key, value in os.environ.items() if key != "KAKOMI_KERNEL"}
    env["KAKOMI_CACHE_DIR"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    assert not list(tmp_path.iterdir())
