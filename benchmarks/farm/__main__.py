"""What is run from the command line: see the package."""

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import benchmarks.farm
from benchmarks.bouts import SEED, add_worker_options, chosen, opened, tell
from benchmarks.farm.cost import Cost, game_cost, nothing
from benchmarks.pages import replace_part
from kakomi import catalog
from kakomi.farm import Farm, Piece

PAGE = Path(__file__).resolve().parents[2] / "docs" / "farm.md"
CORES = (2, 16, 128)
PLANNED_GAMES = 1000
HOUR = 3600.0


def plan(farm: Farm, names: list[str], games: int, limit: int) -> Iterator[str]:
    """What simulations and games cost, as lines of a Markdown table."""
    planned = " | on ".join(f"{cores} cores" for cores in CORES)
    yield (
        "| default board | simulations a second of a core | actions a game "
        f"| core-seconds a game of `simulations:{limit}` | hours for {PLANNED_GAMES:,} games on {planned} |"
    )
    yield "| --- |" + " ---: |" * (3 + len(CORES))
    for name in names:
        pieces = [
            Piece(f"game {number} of {name}", game_cost, (name, limit), SEED + number)
            for number in range(games)
        ]
        found = []
        for _, cost in farm.run(pieces):
            found.append(cost)
            tell(f"{name}: {len(found)} of {games} games")
        tell("")
        yield row(name, Cost(*map(sum, zip(*found, strict=True))))


def row(name: str, cost: Cost) -> str:
    """A game's line."""
    rate = cost.simulations / cost.search_seconds
    of_one = cost.seconds / cost.games
    planned = " | ".join(f"{PLANNED_GAMES * of_one / cores / HOUR:.2g}" for cores in CORES)
    title, actions = catalog.describe(name).title, cost.actions / cost.games
    return f"| {title} | {rate:,.0f} | {actions:.0f} | {of_one:.1f} | {planned} |"


def way(farm: Farm, pieces: int) -> str:
    """What it takes to have a piece done that does nothing, once workers are there."""
    farm.results([Piece(f"first {number}", nothing) for number in range(farm.workers)])
    used, begun = _cpu_seconds(), time.perf_counter()
    farm.results([Piece(f"piece {number}", nothing) for number in range(pieces)])
    used, passed = (1000 * spent / pieces for spent in (_cpu_seconds() - used, time.perf_counter() - begun))
    return f"A piece's way takes {used:.2f} ms of this process, and {passed:.2f} ms of time."


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure, print and perhaps write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.farm", description=(benchmarks.farm.__doc__ or "").splitlines()[0]
    )
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--games", type=int, default=2, help="of each (default 2)")
    parser.add_argument("--simulations", type=int, default=500, help="an action (default 500)")
    parser.add_argument("--pieces", type=int, default=500, help="that do nothing (default 500)")
    add_worker_options(parser)
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    arguments = parser.parse_args()
    with opened(arguments) as farm:
        lines = list(plan(farm, chosen(arguments.games_named), arguments.games, arguments.simulations))
        print("\n".join(lines))
        print(way(farm, arguments.pieces))
    if arguments.write:
        replace_part(PAGE, "plan", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
