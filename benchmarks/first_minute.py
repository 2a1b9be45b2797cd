"""Measure how long a site's first visitor waits when nothing is compiled yet, and a later one.

    python -m benchmarks.first_minute [--games rin lin] [--levels 4 10] [--pause 0] [--json] [--save]

For each game and level a site starts with an empty cache of compiled code. A visitor loads the home page,
opens a table against a bot and its page, plays an action at once (or `--pause` seconds later), and waits
until the bot has finished its turn. The same is repeated on a new site with a full cache, for the highest
level. Times are seconds for each step, once the site is up. Levels above a game's highest mean the highest.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from urllib.request import urlopen

from benchmarks import results
from benchmarks.restart import Program, free_port, site
from kakomi import catalog

LEVELS = (1, 4, 10, 99)
WAITS = ("home page", "table", "action", "bot's answer")
GLANCE = 0.2
"""Seconds between checks whether the bot has answered; more frequent ones would slow it down."""


def waits(game: str, level: int, cache: str, pause: float) -> list[float]:
    """Return the seconds for each of `WAITS` on a new site with this cache of compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with site(folder, port, KAKOMI_CACHE_DIR=cache):
            home = _seconds(lambda: _look(port, "/"))
            program = Program(port)
            code = ""

            def open_table() -> None:
                nonlocal code
                code = program.open(game, str(level))
                _look(port, f"/table/{code}")

            table = _seconds(open_table)
            time.sleep(pause)
            acted = _seconds(lambda: program.act(code))
            return [home, table, acted, _seconds(lambda: _await_bot(program, code))]


def _look(port: int, path: str) -> None:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=120) as page:
        page.read()


def _await_bot(program: Program, code: str) -> None:
    """Finish the turn, if it takes several actions, and wait until the bot has finished its own."""
    while program.send(f"/tables/{code}")["to_act"] == 0:
        program.act(code)
    while program.send(f"/tables/{code}")["to_act"] != 0:
        time.sleep(GLANCE)


def _fill(cache: str, game: str) -> None:
    command = [sys.executable, "-m", "kakomi", "warm", game]
    environment = {**os.environ, "KAKOMI_CACHE_DIR": cache}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)


def _seconds(deed: Callable[[], object]) -> float:
    started = time.perf_counter()
    deed()
    return time.perf_counter() - started


def measure(games: list[str], levels: list[int], pause: float) -> dict[str, list[float]]:
    """Return the waits by game, level and cache, such as `rin 4, empty`."""
    found = {}
    for game in games:
        highest = len(catalog.describe(game).levels)
        tested = sorted({min(level, highest) for level in levels})
        for level in tested:
            with tempfile.TemporaryDirectory() as cache:
                found[f"{game} {level}, empty"] = waits(game, level, cache, pause)
        with tempfile.TemporaryDirectory() as cache:
            _fill(cache, game)
            found[f"{game} {tested[-1]}, full"] = waits(game, tested[-1], cache, pause)
        if sys.stderr.isatty():
            print(game, file=sys.stderr)
    return found


def main() -> None:
    """Print a line for each game and cache."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.first_minute", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--games", nargs="+", choices=catalog.names(), default=catalog.names())
    parser.add_argument(
        "--levels", nargs="+", type=int, default=LEVELS, help="(default 1, 4, 10 and the highest)"
    )
    parser.add_argument("--pause", type=float, default=0, help="seconds before the first action (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--save", action="store_true", help="keep the figures in benchmarks/results")
    chosen = parser.parse_args()
    found = measure(chosen.games, chosen.levels, chosen.pause)
    if chosen.save:
        named = {
            f"{name} cache: {what}, s": round(value, 2)
            for name, values in found.items()
            for what, value in zip(WAITS, values, strict=True)
        }
        print(results.save("first_minute", named), file=sys.stderr)
    if chosen.json:
        print(json.dumps({name: dict(zip(WAITS, values, strict=True)) for name, values in found.items()}))
        return
    print(f"{'':<16}" + "".join(f"{what:>14}" for what in WAITS))
    for name, values in found.items():
        print(f"{name:<16}" + "".join(f"{value:>12.2f} s" for value in values))


if __name__ == "__main__":
    main()
