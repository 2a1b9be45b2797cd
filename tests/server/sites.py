"""Real server processes for tests: started, killed and started again, on any database."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

PATIENCE = 120.0
"""Seconds for what takes a few on a machine that does nothing else."""


class Site:
    """One server process of a site. Several with the same folder and database are the same site."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._environment = {
            **os.environ,
            "KAKOMI_DATABASE_URL": "",  # whatever these tests run on
            "KAKOMI_REDIS_URL": "",
            "KAKOMI_DATA_DIR": str(folder),
            "KAKOMI_LIMITS": "off",
            "PYTHONUNBUFFERED": "1",
            **(environment or {}),
        }
        self.folder = folder
        """Its data folder."""
        self._errors = folder / f"errors-{id(self)}.txt"
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    def start(self) -> None:
        """Start it, where it was before, and return when it answers."""
        with self._errors.open("a") as errors:
            self._process = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=errors, text=True, env=self._environment
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://[^/]*:(\d+)/", line)
        assert found, f"the site did not start: {line!r} {self.errors}"
        self.port = int(found[1])
        await_answers(self.port, lambda: self.ended is None, lambda: self.errors)

    @property
    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-m", "kakomi", "serve", "--no-browser", "--port", str(self.port)]

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None
        return self._process.pid

    @property
    def ended(self) -> int | None:
        """The status with which it ended by itself, below 0 for a signal; None while it runs."""
        return self._process.poll() if self._process else None

    @property
    def errors(self) -> str:
        """What it wrote about what went wrong."""
        return self._errors.read_text()

    def kill(self) -> None:
        """End it as a power cut would, kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None


def await_answers(port: int, is_running: Callable[[], bool], errors: Callable[[], str] = str) -> None:
    """Return when a process of ours accepts connections at a port."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            assert is_running() and time.monotonic() < until, errors()
            time.sleep(0.02)


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number: int = free.getsockname()[1]
    return number


@contextlib.contextmanager
def running(*sites: Site) -> Iterator[None]:
    """Sites that are ended afterwards, whatever happens."""
    try:
        for site in sites:
            site.start()
        yield
    finally:
        for site in sites:
            site.kill()
