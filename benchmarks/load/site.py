"""The site being measured: its processes, and the database they share."""

import contextlib
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent.parent
POSTGRES = os.environ.get("KAKOMI_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("KAKOMI_TEST_REDIS", "redis://127.0.0.1:6379/0")


@dataclass
class Setup:
    """A configuration of the site to measure."""

    name: str
    processes: int
    on_postgres: bool

    @property
    def database(self) -> str:
        """The name of its database system."""
        return "PostgreSQL" if self.on_postgres else "SQLite"


SETUPS = {
    "sqlite": Setup("SQLite, one process", 1, False),
    "postgres": Setup("PostgreSQL and Redis, two processes", 2, True),
}


@dataclass
class RunningSite:
    """The running processes of a site."""

    ports: list[int] = field(default_factory=list)
    pids: list[int] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    """Environment variables with which another process joins the same site."""

    def cpu_seconds(self) -> float:
        """Return the processor time that they have used so far."""
        ticks = 0
        for pid in self.pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def served(setup: Setup, module: str = "kakomi", checkout: Path | None = None) -> Iterator[RunningSite]:
    """Run a separate site with an empty database; stop it at the end.

    `module` is the program to start; `checkout` is another working tree whose code it runs.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        database(setup) as variables,
        contextlib.ExitStack() as ends,
    ):
        paths = {"PYTHONPATH": f"{checkout / 'src'}:{HERE}"} if checkout else {}
        site = RunningSite(variables={"KAKOMI_DATA_DIR": folder, **paths, **variables})
        for _ in range(setup.processes):
            process = ends.enter_context(_process(module, site.variables))
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            if found is None:
                raise RuntimeError("the site did not start; what it wrote says why")
            _await_answers(int(found[1]))
            site.ports.append(int(found[1]))
            site.pids.append(process.pid)
        yield site


def _await_answers(port: int) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


@contextlib.contextmanager
def _process(module: str, variables: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", module, "serve", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "KAKOMI_LIMITS": "off", "PYTHONUNBUFFERED": "1", **variables},
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


@contextlib.contextmanager
def database(setup: Setup) -> Iterator[dict[str, str]]:
    """Create an empty database, dropped at the end, and yield its settings for a site."""
    if not setup.on_postgres:
        yield {}
        return
    import psycopg

    name = f"kakomi_load_{secrets.token_hex(6)}"
    with psycopg.connect(POSTGRES, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            url = f"{POSTGRES.rpartition('/')[0]}/{name}"
            yield {"KAKOMI_DATABASE_URL": url, "KAKOMI_REDIS_URL": REDIS}
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
