"""Measure the load that the site can bear: tables where two people play by link, both with the page open.

python -m benchmarks.load [--games 500] [--every 10 5] [--seconds 60] [--on sqlite postgres] [--write]
python -m benchmarks.load --uploads    # instead, the cost of malicious files
"""

import argparse
import asyncio
import os
import random
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load.playing import Playing
from benchmarks.load.site import SETUPS, RunningSite, served
from benchmarks.load.uploads import MOST_SECONDS, costs
from benchmarks.pages import replace_part
from kakomi import catalog

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "operations.md"
OPENING_AT_ONCE = 8
WAITS = ("act", "news", "look")
HEADER = (
    "| site | games | an action every | listeners | actions/s | act p50 / p95 / p99 | news p50 / p95 / p99 "
    "| board p50 / p95 / p99 | processor: site, load |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
)


@dataclass
class Figures:
    """One row of the table."""

    setup: str
    games: int
    every: float
    listeners: int
    seconds: float
    waits: dict[str, list[float]]
    refused: int
    cores_of_site: float
    cores_of_load: float

    def line(self) -> str:
        spreads = " | ".join(_spread(self.waits[name]) for name in WAITS)
        return (
            f"| {self.setup} | {self.games} | {self.every:g} s | {self.listeners:,} "
            f"| {len(self.waits['act']) / self.seconds:.1f} | {spreads} "
            f"| {self.cores_of_site:.2f}, {self.cores_of_load:.2f} cores |\n"
        )


def _spread(waits: list[float]) -> str:
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    return " / ".join(f"{1000 * cuts[percent - 1]:.0f}" for percent in (50, 95, 99)) + " ms"


async def measure(
    site: RunningSite, setup: str, games: int, paces: list[float], seconds: float
) -> list[Figures]:
    """Open the tables, then play at each pace in turn."""
    names = catalog.names()
    tables = [Playing(site.ports, names[n % len(names)], random.Random(n)) for n in range(games)]
    await _open(tables)
    rows = []
    for every in paces:
        rows.append(await _row(site, setup, tables, every, seconds))
        print(rows[-1].line(), end="", flush=True)
    for table in tables:
        await table.close()
    return rows


async def _open(tables: list[Playing]) -> None:
    gate = asyncio.Semaphore(OPENING_AT_ONCE)

    async def opened(table: Playing) -> None:
        async with gate:
            await table.open()

    await asyncio.gather(*map(opened, tables))


async def _row(site: RunningSite, setup: str, tables: list[Playing], every: float, seconds: float) -> Figures:
    await _play(tables, every, every)  # each player's first action warms up caches
    for table in tables:
        for waits in (table.waits.act, table.waits.news, table.waits.look):
            waits.clear()
    site_before, load_before, began = site.cpu_seconds(), time.process_time(), time.perf_counter()
    await _play(tables, every, seconds)
    took = time.perf_counter() - began
    return Figures(
        setup,
        len(tables),
        every,
        sum(table.waits.listeners for table in tables),
        took,
        {
            name: [w for table in tables for w in getattr(table.waits, name)]
            for name in ("act", "news", "look")
        },
        sum(len(table.waits.refused) for table in tables),
        (site.cpu_seconds() - site_before) / took,
        (time.process_time() - load_before) / took,
    )


async def _play(tables: list[Playing], every: float, seconds: float) -> None:
    until = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(table.play(every, until) for table in tables))


def _measure_uploads() -> None:
    print("| file | status | processor |\n| --- | ---: | ---: |")
    with served(SETUPS["sqlite"]) as site:
        measured = []
        for cost in costs(site):
            print(cost.line(), flush=True)
            measured.append(cost)
    dearest = max(measured[1:], key=lambda cost: cost.seconds)
    print(f"\nthe dearest: {dearest.name}; at most {1000 * MOST_SECONDS:.0f} ms are allowed")
    if dearest.seconds > MOST_SECONDS or any(cost.status != 422 for cost in measured):
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=500, help="tables that are played at (default 500)")
    parser.add_argument("--every", type=float, nargs="+", default=[10.0, 5.0], help="seconds between actions")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each row (default 60)")
    parser.add_argument("--on", nargs="+", choices=sorted(SETUPS), default=list(SETUPS))
    parser.add_argument("--write", action="store_true", help="put the table into docs/operations.md")
    parser.add_argument("--uploads", action="store_true", help="the cost of files that cost much to read")
    chosen = parser.parse_args()
    if chosen.uploads:
        _measure_uploads()
        return
    print(HEADER, end="", flush=True)
    rows = []
    for name in chosen.on:
        setup = SETUPS[name]
        with served(setup) as site:
            rows += asyncio.run(measure(site, setup.name, chosen.games, chosen.every, chosen.seconds))
    failed = sum(row.refused for row in rows)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    note = (
        f"\n{os.cpu_count()} cores, shared by the site, its services and the load; load average at the end: "
        f"{load}; requests that failed: {failed}.\n"
    )
    print(note, end="")
    if chosen.write:
        replace_part(PAGE, "load", HEADER + "".join(row.line() for row in rows) + note)


if __name__ == "__main__":
    main()
