"""Measure the lobby: how soon a seek is seen by all who look on, and that no seek becomes two games.

python -m benchmarks.lobby [--viewers 200 1000] [--seeks 30] [--every 1] [--accept 1000]
    [--on sqlite] [--write]
"""

import argparse
import asyncio
import os
import statistics
from pathlib import Path

from benchmarks.load.site import SETUPS, Served, served
from benchmarks.lobby.acceptances import accept_all
from benchmarks.lobby.viewers import Crowd, Waits, measure
from benchmarks.pages import replace_part

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "operations.md"
HEADER = (
    "| pages open | seeks | click answered p50 / p95 | seen p50 / p95 | seen at the other process p50 / p95 "
    "| not seen | processor a seek |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
)


def _spread(waits: list[float]) -> str:
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    return f"{cuts[49]:.0f} / {cuts[94]:.0f} ms"


def _line(viewers: int, seeks: int, waits: Waits) -> str:
    spreads = " | ".join(map(_spread, (waits.answer, waits.all, waits.elsewhere)))
    return f"| {viewers:,} | {seeks} | {spreads} | {waits.missed} | {1000 * waits.cores:.0f} ms |\n"


async def _seen(site: Served, viewers: int, seeks: int, every: float) -> Waits:
    crowd = Crowd(site.ports)
    await crowd.come(viewers)
    await measure(crowd, 3, every)  # warms what is cold
    crowd.seen.clear()
    before = site.cpu_seconds()
    waits = await measure(crowd, seeks, every)
    waits.cores = (site.cpu_seconds() - before) / seeks
    await crowd.leave()
    return waits


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lobby", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--viewers", type=int, nargs="*", default=[200, 1000], help="pages that are open")
    parser.add_argument("--seeks", type=int, default=30)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two seeks")
    parser.add_argument("--accept", type=int, default=0, help="seeks that are accepted by several at once")
    parser.add_argument("--on", choices=SETUPS, default="postgres", help="the database for --accept")
    parser.add_argument("--write", action="store_true", help="put the table into docs/operations.md")
    chosen = parser.parse_args()
    rows = []
    print(HEADER, end="", flush=True)
    for viewers in chosen.viewers:
        with served(SETUPS["postgres"]) as site:
            waits = asyncio.run(_seen(site, viewers, chosen.seeks, chosen.every))
        rows.append(_line(viewers, chosen.seeks, waits))
        print(rows[-1], end="", flush=True)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    note = (
        f"\n{os.cpu_count()} cores, shared by two processes of the site, PostgreSQL, Redis and the load; "
        f"load average at the end: {load}.\n"
    )
    print(note, end="")
    if chosen.accept:
        with served(SETUPS[chosen.on]) as site:
            toll = accept_all(site.variables, chosen.accept)
        said = (
            f"\n{toll.seeks:,} seeks, each accepted by two people at once who both click twice, in four "
            f"processes on {SETUPS[chosen.on].database}: {toll.games:,} games at {toll.tables:,} tables; "
            f"{toll.answered_alike:,} times both clicks of each had the same answer and one of the two had "
            f"the game; {toll.seconds:.0f} s.\n"
        )
        print(said, end="")
        note += said
    if chosen.write:
        replace_part(PAGE, "lobby", HEADER + "".join(rows) + note)


if __name__ == "__main__":
    main()
