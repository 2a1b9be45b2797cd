"""What two threads on one tree make of two cores, against two processes with a tree each.

    python -m benchmarks.threads [GAME]... [--seconds 3] [--rounds 5]

Two processes share nothing and so show what the machine has to give. Each round times both, one after
the other; the ratio is the median over rounds. Then equal simulations: a bot on two threads against the
same bot on one.
"""

import argparse
import multiprocessing
import statistics
import time
from pathlib import Path
from typing import Any

import kakomi
from benchmarks.bouts import Bout, chosen, in_percent, play, small_board
from kakomi.farm import open_farm
from kakomi.search import Search
from kakomi.study.tournament import Statistics

MEMORY_MB = 3000
"""Enough that no tree fills up: a full tree stops growing, and simulations are faster then."""


def one_process(name: str, seconds: float, start: Any, found: Any) -> None:
    """Search on one thread as soon as the others are ready too."""
    game = kakomi.game(name)
    search = Search(game, seed=1, memory_mb=MEMORY_MB)
    search.warm()
    start.wait()
    found.put(search.run(game.start(), seconds=seconds).simulations)


def in_processes(name: str, seconds: float, n: int) -> float:
    """Simulations a second of n processes together."""
    context = multiprocessing.get_context("spawn")
    start, found = context.Barrier(n), context.Queue()
    processes = [context.Process(target=one_process, args=(name, seconds, start, found)) for _ in range(n)]
    for process in processes:
        process.start()
    total = sum(found.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    return total / seconds


def in_threads(name: str, seconds: float, n: int) -> float:
    """Simulations a second of n threads on one tree."""
    game = kakomi.game(name)
    search = Search(game, seed=1, threads=n, memory_mb=MEMORY_MB)
    search.warm()
    started = time.perf_counter()
    report = search.run(game.start(), seconds=seconds)
    return report.simulations / (time.perf_counter() - started)


def _played_alone(bout: Bout, folder: Path) -> Statistics:
    """One game at a time: its bots have the cores for themselves."""
    with open_farm(workers=1) as farm:
        return play(bout, folder, farm)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__.splitlines()[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=100, help="at equal simulations (0: none)")
    parser.add_argument("--folder", type=Path, default=Path(".cache/threads"), help="where games are kept")
    arguments = parser.parse_args()
    print("| game | 2 threads, simulations/s | of 2 processes (range) | at equal simulations (95 %) |")
    print("| --- | --- | --- | --- |")
    for name in chosen(arguments.games_named):
        threads, ratios = [], []
        for _ in range(arguments.rounds):
            threads.append(in_threads(name, arguments.seconds, 2))
            ratios.append(threads[-1] / in_processes(name, arguments.seconds, 2))
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        equal = "–"
        if arguments.games:
            bots = ("search:simulations=2000,threads=2", "search:simulations=2000")
            bout = Bout(small_board(name), *bots, arguments.games)
            equal = in_percent(_played_alone(bout, arguments.folder).estimate(*bots))
        print(f"| {name} | {statistics.median(threads):,.0f} | {spread} | {equal} |", flush=True)


if __name__ == "__main__":
    main()
