"""Deadlines of many games: how fast what is due is found, and flags that fall at once, beside actions.

python -m benchmarks.due [--open 100000] [--due 10000] [--on sqlite postgres]

The site runs as it is served. People play at some tables meanwhile, with their pages open, as in
`benchmarks.load`; they do so before, too, for comparison.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.load.playing import Playing
from benchmarks.load.site import SETUPS, Served, served
from kakomi import catalog

HEADER = (
    "| site | games open | found in | flags | done in | ratings and openings done in | processor of the site "
    "| act before p50 / p95 | act meanwhile p50 / p95 |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
)
PLAYED, EVERY = 40, 2.0
"""Tables at which people play meanwhile, and the seconds between two actions at each."""
BEFORE = 30.0
"""Seconds for which they play before anything is due."""
PATIENCE = 1_800.0


@dataclass
class Course:
    """What became of the flags."""

    count: int = 0
    flagged: float = 0.0
    followed: float = 0.0
    cpu: float = 0.0
    before: list[float] = field(default_factory=list)
    meanwhile: list[float] = field(default_factory=list)
    refused: int = 0
    wrong: int = 0


async def _play(site: Served, course: Course) -> None:
    from benchmarks.due import tables

    names = catalog.names()
    playing = [Playing(site.ports, names[n % len(names)], random.Random(n)) for n in range(PLAYED)]
    for table in playing:
        await table.sit_down()
    await _for(playing, 2 * EVERY)
    _take(playing)
    await _for(playing, BEFORE)
    course.before = _take(playing)
    course.count = await asyncio.to_thread(tables.make_due)
    began, cpu = time.monotonic(), site.cpu_seconds()
    acting = asyncio.create_task(_for(playing, PATIENCE))
    await _until(lambda: not tables.left())
    course.flagged, course.meanwhile = time.monotonic() - began, _take(playing)
    said = f"{course.count:,} flags fell in {course.flagged:.0f} s; actions {_spread(course.before)} before, "
    print(f"{said}{_spread(course.meanwhile)} meanwhile; openings go on", file=sys.stderr, flush=True)
    await _until(tables.followed_up)
    course.followed, course.cpu = time.monotonic() - began, site.cpu_seconds() - cpu
    course.wrong = await asyncio.to_thread(tables.wrong)
    acting.cancel()
    await asyncio.gather(acting, return_exceptions=True)
    for table in playing:
        await table.get_up()
    course.refused = sum(len(table.waits.refused) for table in playing)


async def _until(is_done: Callable[[], bool]) -> None:
    """Ask the database twice a second."""
    while True:
        if await asyncio.to_thread(is_done):
            return
        await asyncio.sleep(0.5)


async def _for(playing: Sequence[Playing], seconds: float) -> None:
    until = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(table.play(EVERY, until) for table in playing))


def _take(playing: Sequence[Playing]) -> list[float]:
    """How long people waited for their own actions since this was asked last."""
    waits = [wait for table in playing for wait in table.waits.act]
    for table in playing:
        table.waits.act.clear()
    return waits


def _measured(name: str, open_tables: int, due: int) -> str:
    setup = SETUPS[name]
    with served(setup) as site:
        os.environ.update(site.variables, DJANGO_SETTINGS_MODULE="kakomi.server.settings")
        import django

        django.setup()
        from benchmarks.due import tables

        tables.fill(open_tables, due)
        found, course = tables.look(), Course()
        asyncio.run(_play(site, course))
        line = (
            f"| {setup.name} | {open_tables:,} | {1000 * found:.1f} ms | {course.count:,} "
            f"| {course.flagged:.0f} s | {course.followed:.0f} s | {course.cpu:.0f} s "
            f"| {_spread(course.before)} | {_spread(course.meanwhile)} |\n"
        )
        if course.wrong or course.refused:
            line += f"WRONG: {course.wrong} ends, {course.refused} requests\n"
        from django.db import connections

        connections.close_all()
    return line


def _spread(waits: Sequence[float]) -> str:
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    return f"{1000 * cuts[49]:.0f} / {1000 * cuts[94]:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.due", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--open", type=int, default=100_000, help="games that are open (default 100,000)")
    parser.add_argument("--due", type=int, default=10_000, help="of these, whose time is up (default 10,000)")
    parser.add_argument("--on", nargs="+", choices=sorted(SETUPS), default=list(SETUPS))
    chosen = parser.parse_args()
    if len(chosen.on) == 1:
        print(_measured(chosen.on[0], chosen.open, chosen.due), end="", flush=True)
        return
    print(HEADER, end="", flush=True)
    for name in chosen.on:  # each in a process of its own, as Django has one database
        asked = ["--open", str(chosen.open), "--due", str(chosen.due), "--on", name]
        subprocess.run([sys.executable, "-m", "benchmarks.due", *asked], check=True)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\n{os.cpu_count()} cores, shared by site, services and load; load average at the end: {load}.")


if __name__ == "__main__":
    main()
