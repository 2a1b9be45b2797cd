"""The nginx configuration in deploy/ in front of two processes that restart one after the other."""

import contextlib
import shutil
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.programs import ProgramUser
from server.sites import Site, await_answers, free_port, running

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "nginx.conf"
PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="nginx isn't installed")


@contextlib.contextmanager
def nginx(folder: Path, *sites: Site) -> Iterator[int]:
    """Run nginx as documented, but without TLS, in front of processes, and yield its port."""
    port = free_port()
    text = CONFIGURATION.read_text()
    for documented, here in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("127.0.0.1:8364", f"127.0.0.1:{sites[0].port}"),
        ("127.0.0.1:8365", f"127.0.0.1:{sites[1].port}"),
    ):
        assert documented in text
        text = text.replace(documented, here)
    lines = [line for line in text.splitlines() if "ssl_certificate" not in line]
    (folder / "kakomi.conf").write_text("\n".join(lines))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}} http {{ access_log off; "
        f"client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/answers; "
        f"fastcgi_temp_path {folder}/a; uwsgi_temp_path {folder}/b; scgi_temp_path {folder}/c; "
        f"include {folder}/kakomi.conf; }}"
    )
    assert PROGRAM is not None
    with subprocess.Popen([PROGRAM, "-c", str(folder / "nginx.conf"), "-p", str(folder)]) as process:
        try:
            await_answers(port, lambda: process.poll() is None)
            yield port
        finally:
            process.terminate()


def test_nobody_notices_restarts_one_after_the_other(tmp_path: Path) -> None:
    data, proxy, over = tmp_path / "data", tmp_path / "nginx", threading.Event()
    data.mkdir()
    proxy.mkdir()
    sites = [Site(data), Site(data)]

    def play(user: ProgramUser) -> int:
        """Play until the end of the test, and return the number of actions; any error response fails."""
        played = 0
        while not over.is_set():
            table = user.ask("tables", {"game": "rin", "options": {"size": 8}, "seats": ["me", "beside"]})
            while table["to_act"] is not None and not over.is_set():
                table = user.act(table)
                played += 1
        return played

    with running(*sites), nginx(proxy, *sites) as port, ThreadPoolExecutor(1) as thread:
        playing = thread.submit(play, ProgramUser("ada", port, seed=1))
        try:
            for site in sites * 2:
                site.stop()
                site.start()
        finally:
            over.set()
        assert playing.result() > 0
