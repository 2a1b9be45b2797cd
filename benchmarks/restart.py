"""Measure how long the site takes to answer again after it was killed, and what it uses while idle.

    python -m benchmarks.restart [--kills 5] [--busy 0] [--bot] [--json] [--save]
    python -m benchmarks.restart --idle 60

A site on SQLite has a table of every game. It is killed with `kill -9` and restarted at once. Four times are
measured, in seconds from its start: it accepts a connection, it has served its home page, it has carried out
an action at one table, and it has done so at a table of every game. Each comes with the processor time that
the site had used by then, which is the steadier figure on a busy machine. `--busy` runs that many other busy
processes; `--bot` leaves a bot to act at another table of every game. `--idle` starts a site, waits until it
has been idle for a while, and measures how much of a core it uses over so many seconds.
"""

import argparse
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from benchmarks import results
from kakomi import catalog
from kakomi.server.site.pacing import IDLE_AFTER, IDLE_SECONDS

MOMENTS = ("connects", "home", "one table", "all tables")
SPIN = "while True: pass"
SITE = {"KAKOMI_LIMITS": "off", "KAKOMI_DATABASE_URL": ""}


class Moment(NamedTuple):
    """Seconds since the site was started, and the processor time that it has used since."""

    seconds: float
    cpu_seconds: float


class Site(NamedTuple):
    """A running site's process."""

    pid: int
    started: float

    def moment(self) -> Moment:
        """Return the times up to now."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        return Moment(time.perf_counter() - self.started, ticks / os.sysconf("SC_CLK_TCK"))


class Program:
    """A program that plays through the JSON API."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._token = ""
        self._acts = 0
        self._token = str(self.send("/guests", {"name": "Ada"})["token"])

    def send(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a request (POST if there is a body) and return the decoded response."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self._port}/api/v1{path}"
        with urlopen(Request(url, data, headers), timeout=120) as answer:
            return json.load(answer)

    def open(self, game: str, opponent: str) -> str:
        """Open a table and return its code."""
        others = len(catalog.game(game).player_names) - 1
        return str(self.send("/tables", {"game": game, "seats": ["me", *[opponent] * others]})["code"])

    def act(self, code: str) -> None:
        """Play the first legal action at a table: two requests."""
        table = self.send(f"/tables/{code}")
        self._acts += 1
        action = table["position"]["legal"][0]
        act = {"kind": "play", "value": action, "base": table["entries"], "key": f"restart-{self._acts:06}"}
        self.send(f"/tables/{code}/acts", act)


@contextlib.contextmanager
def site(folder: str, port: int, **environment: str) -> Iterator[Site]:
    """Start a site and wait until it accepts connections; kill it at the end."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "kakomi", "serve", "--no-browser", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, **SITE, "KAKOMI_DATA_DIR": folder, **environment},
    )
    try:
        while not _accepts(port):
            if process.poll() is not None or time.perf_counter() - started > 120:
                raise RuntimeError("the site did not start; what it wrote says why")
            time.sleep(0.005)
        yield Site(process.pid, started)
    finally:
        process.kill()
        process.wait()


def _accepts(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the processor busy with other processes."""
    others = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(processes)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def measure(kills: int, load: int, bots: bool) -> list[list[Moment]]:
    """Kill and restart a site, and return its moments for each kill."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with site(folder, port):
            program = Program(port)
            tables = [program.open(game, "beside") for game in catalog.names()]
            for code in tables:
                program.act(code)
            if bots:
                for game in catalog.names():
                    program.act(program.open(game, "8"))
        with busy(load):
            return [_restarted(folder, port, program, tables) for _ in range(kills)]


def _restarted(folder: str, port: int, program: Program, tables: list[str]) -> list[Moment]:
    with site(folder, port) as running:
        moments = [running.moment()]
        urlopen(f"http://127.0.0.1:{port}/", timeout=120).close()
        moments.append(running.moment())
        for code in tables:
            program.act(code)
            moments.append(running.moment())
    return [*moments[:3], moments[-1]]


def idle_share(seconds: float) -> float:
    """Return the fraction of a core that an idle site uses."""
    with tempfile.TemporaryDirectory() as folder, site(folder, free_port()) as running:
        time.sleep(IDLE_AFTER + IDLE_SECONDS)
        before = running.moment()
        time.sleep(seconds)
        after = running.moment()
    return (after.cpu_seconds - before.cpu_seconds) / (after.seconds - before.seconds)


def main() -> None:
    """Print the median and the longest times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.restart", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5, help="how often (default 5)")
    parser.add_argument("--busy", type=int, default=0, help="other processes at work (default 0)")
    parser.add_argument("--bot", action="store_true", help="leave a bot to act at a table of every game")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--save", action="store_true", help="keep the medians in benchmarks/results")
    parser.add_argument("--idle", type=float, metavar="SECONDS", help="measure an idle site instead")
    chosen = parser.parse_args()
    if chosen.idle:
        print(f"an idle site uses {idle_share(chosen.idle):.2%} of a core")
        return
    columns = list(zip(*measure(chosen.kills, chosen.busy, chosen.bot), strict=True))
    if chosen.save:
        medians = [statistics.median(moment.seconds for moment in column) for column in columns]
        named = {f"{moment}, s": round(value, 2) for moment, value in zip(MOMENTS, medians, strict=True)}
        print(results.save("restart", named), file=sys.stderr)
    if chosen.json:
        print(json.dumps(dict(zip(MOMENTS, columns, strict=True))))
        return
    for name, moments in zip(MOMENTS, columns, strict=True):
        seconds, cpu = zip(*moments, strict=True)
        print(
            f"{name:<12}median {statistics.median(seconds):6.2f} s   longest {max(seconds):6.2f} s"
            f"   processor {statistics.median(cpu):5.2f} s"
        )


if __name__ == "__main__":
    main()
