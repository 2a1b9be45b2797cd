"""What a visitor costs a site if bots and analyses run in the browser, and without WebAssembly.

    python -m benchmarks.visits [--seconds 60] [--save]

It prints the processor time of the site and its children for an analysis and for a game of Rive against level
5, and the time from the first stone to the answer of level 4 on a machine that has compiled nothing. It needs
Playwright and Chromium.
"""

import argparse
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.web import BROWSERS

GAME, SIZE = "rive", "4"
SIDES = {"in the browser": "", "on the server": "delete window.WebAssembly"}
MOST_TURNS = 60
SETTLE_SECONDS = 5.0
_MINE = "#table[data-playing], #table[data-complete], #table[data-over]"


@contextlib.contextmanager
def site(**environment: str) -> Iterator[tuple[str, int]]:
    """Run a site with an empty database. Yield its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"KAKOMI_DATA_DIR": folder, "KAKOMI_LIMITS": "off", "PYTHONUNBUFFERED": "1", **environment}
        command = [sys.executable, "-m", "kakomi", "serve", "--no-browser", "--port", "0"]
        outputs: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        with subprocess.Popen(command, env={**os.environ, **settings}, **outputs) as process:
            assert process.stdout
            found = re.search(r"http://[^/]*:(\d+)/", process.stdout.readline())
            assert found, "the site did not start"
            try:
                yield f"http://127.0.0.1:{found[1]}", process.pid
            finally:
                process.terminate()


def spent(pid: int) -> float:
    """Return the processor time of a process and its children, in seconds."""
    ticks, parents = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(") ")[2].split()
            one = int(stat.parent.name)
            parents[one], ticks[one] = int(fields[1]), sum(map(int, fields[11:15]))
    family = {pid}
    while more := {one for one, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(one, 0) for one in family) / os.sysconf("SC_CLK_TCK")


def begun(page: Any, home: str, opponent: str) -> None:
    """Start a game, in which the visitor plays first."""
    asked = page.context.request
    asked.get(f"{home}/play/{GAME}")
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
    form = {"size": SIZE, "opponent": opponent, "side": "0"}
    answer = asked.post(f"{home}/play/{GAME}", form=form, headers={"X-CSRFToken": token}, max_redirects=0)
    page.goto(f"{home}{answer.headers['location']}")


def play(page: Any, chance: random.Random) -> bool:
    """Make a choice. Return whether the game goes on."""
    page.wait_for_selector(f":is({_MINE}):not([aria-busy])", state="attached")
    if page.locator("#table[data-over]").count():
        return False
    if page.locator("#confirm").count():
        page.locator("#confirm").click()
    else:
        targets = page.locator("#board .target[data-action]")
        targets.nth(chance.randrange(targets.count())).click()
    page.wait_for_timeout(50)
    return True


def game_costs(page: Any, home: str, pid: int) -> float:
    """Return the processor time of a game against level 5."""
    before, chance = spent(pid), random.Random(1)
    begun(page, home, "5")
    for _ in range(MOST_TURNS):
        if not play(page, chance):
            break
    return spent(pid) - before


def analysis_costs(page: Any, home: str, pid: int, seconds: float) -> float:
    """Return the processor time of an analysis, from the moment at which it runs."""
    begun(page, home, "beside")
    play(page, random.Random(1))
    page.wait_for_timeout(500)
    page.goto(page.url.replace("/table/", "/analysis/table/"))
    page.locator("#engine-switch").click()
    page.wait_for_selector("#lines ol.lines li")
    page.wait_for_timeout(1000 * SETTLE_SECONDS)
    before = spent(pid)
    page.wait_for_timeout(1000 * seconds)
    return spent(pid) - before


def first_answer(page: Any, home: str) -> float:
    """Return the time from the first stone to the answer of level 4."""
    begun(page, home, "4")
    page.wait_for_selector("#board .target[data-action]", state="attached")
    page.wait_for_timeout(1000 * SETTLE_SECONDS)
    started = time.perf_counter()
    page.locator("#board .target[data-action]").first.click()
    page.wait_for_selector(
        f":is({_MINE}):not([data-entries='0'], [data-entries='1'], [aria-busy])", state="attached"
    )
    return time.perf_counter() - started


@contextlib.contextmanager
def visitor(browser: Any, script: str) -> Iterator[Any]:
    """Yield a page of a new visitor, which runs a script first."""
    context = browser.new_context()
    context.set_default_timeout(180_000)
    context.add_init_script(script or "0")
    yield context.new_page()
    context.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.visits", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for an analysis (default 60)")
    parser.add_argument("--save", action="store_true", help="keep the figures in benchmarks/results")
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    print(results.describe_machine())
    saved: dict[str, float] = {}

    def tell(name: str, value: float) -> None:
        saved[name] = round(value, 3)
        print(f"{name:<60}{value:>9.2f}", flush=True)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        with site() as (home, pid):
            for round_number in range(2):  # the first one loads what is compiled
                for where, script in SIDES.items():
                    with visitor(browser, script) as page:
                        costs = game_costs(page, home, pid)
                    if round_number:
                        tell(f"game against level 5 {where}, s of the site", costs)
            for where, script in SIDES.items():
                with visitor(browser, script) as page:
                    costs = analysis_costs(page, home, pid, arguments.seconds)
                tell(f"analysis of {arguments.seconds:g} s {where}, s of the site", costs)
        for where, script in SIDES.items():
            with (
                tempfile.TemporaryDirectory() as empty,
                site(KAKOMI_CACHE_DIR=empty) as (home, _),
                visitor(browser, script) as page,
            ):
                tell(f"first answer of level 4 {where}, s", first_answer(page, home))
        browser.close()
    if arguments.save:
        print(results.save("visits", saved))


if __name__ == "__main__":
    main()
