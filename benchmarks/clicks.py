"""Measure the time from a click on a board to the end of the frame that shows the new stone, in Chromium.

    python -m benchmarks.clicks [SITE] [OTHER] [--games rin lin] [--rounds 5] [--clicks 20] [--save]

A site is a URL, or the folder of a checkout (by default this one), which gets an empty database and runs in
this Python. Two people at one screen play, so no bot is thinking. Two sites get the same clicks in turn: both
of a pair are on the same position, and a busy machine slows both. Ratios are the first site's figure divided
by the second's, with the interval that holds 95 % when games are resampled.
"""

import argparse
import contextlib
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks import results
from benchmarks.load.site import HERE, SETUPS, served
from benchmarks.web import BROWSERS

SIZES = {"rin": 12, "rive": 5, "lin": 13, "ren": 10, "rings": 4}
HOVERING = 150  # milliseconds between the pointer's arrival at a point and the click; a preview arrives
POINTS = """async () => {
  const free = () => [...document.querySelectorAll("#board .target[data-point][data-action]")]
    .map(({ dataset }) => dataset.point)
    .filter((point) => !document.querySelector(`#board .stone[data-point="${point}"]`));
  if ("complete" in document.getElementById("table").dataset) document.getElementById("confirm").click();
  for (let tries = 0; tries < 250 && !free().length; tries++) await new Promise((go) => setTimeout(go, 20));
  return free();
}"""
WATCH = """(point) => {
  const board = () => document.querySelector("#board desc").textContent, before = board();
  const watching = (found) => document.addEventListener("click", ({ timeStamp }) => {
    const look = () => {
      if (board() === before) return requestAnimationFrame(look);
      const isShown = document.querySelector(`#board .stone[data-point="${point}"]`);
      const { port1, port2 } = new MessageChannel(); // its message arrives when this frame has been painted
      port1.onmessage = () => found(isShown ? performance.now() - timeStamp : null);
      port2.postMessage("");
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
  const late = (_, fail) => setTimeout(fail, 30000, Error(`nothing happened after a click on ${point}`));
  window.shown = Promise.race([new Promise(watching), new Promise(late)]);
}"""

Times = Sequence[float]
Game = list[tuple[float, ...]]  # the milliseconds of each click, one number for each site
FIGURES: dict[str, Callable[[Times], float]] = {
    "p50": median,
    "p95": lambda times: quantiles(times, n=20)[-1],
}


def address(site: str, running: contextlib.ExitStack) -> str:
    """Return the URL of a site, after starting it if it is a checkout."""
    if "://" in site:
        return site
    started = running.enter_context(served(SETUPS["sqlite"], checkout=Path(site).resolve()))
    return f"http://localhost:{started.ports[0]}"


def open_table(browser: Any, site: str, game: str) -> Any:
    """Start a game between two people at one screen, and return its page in a new browser context."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    path, form = f"/play/{game}", {"size": str(SIZES[game]), "opponent": "beside", "side": "random"}
    context.request.get(path)
    token = next(cookie["value"] for cookie in context.cookies() if "csrf" in cookie["name"])
    headers = {"X-CSRFToken": token, "Referer": site}
    answer = context.request.post(path, form=form, headers=headers, max_redirects=0)
    page = context.new_page()
    page.goto(answer.headers["location"])
    return page


def play(pages: Sequence[Any], clicks: int, chance: random.Random) -> Game:
    """Click the same points on all pages in turn, and time those whose stones aren't captured at once."""
    timed: Game = []
    for number in range(clicks):
        points = sorted(set.intersection(*(set(page.evaluate(POINTS)) for page in pages)))
        if not points:
            break
        point = chance.choice(points)
        for page in pages:
            page.locator(f"#board .target[data-point='{point}']").hover()
        pages[0].wait_for_timeout(HOVERING)
        found = [0.0 for _ in pages]
        for index, page in list(enumerate(pages))[:: -1 if number % 2 else 1]:
            page.evaluate(WATCH, point)
            page.mouse.down()
            page.mouse.up()
            found[index] = page.evaluate("() => window.shown")
        if all(found):
            timed.append(tuple(found))
    return timed


def ratio(games: Sequence[Game], figure: Callable[[Times], float]) -> str:
    """Return the ratio of a figure of two sites, with its interval."""

    def of(chosen: Sequence[Game]) -> float:
        first, second = zip(*(click for game in chosen for click in game), strict=True)
        return figure(first) / figure(second)

    chance = random.Random(1)
    low, *_, high = quantiles((of(chance.choices(games, k=len(games))) for _ in range(2_000)), n=40)
    return f"{of(games):4.2f} ({low:.2f}–{high:.2f})"


def main() -> None:
    """Print a line for each game, and one for all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clicks", description=__doc__.splitlines()[0])
    parser.add_argument("sites", nargs="*", default=[str(HERE)], help="one or two URLs or folders")
    parser.add_argument("--games", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=5, help="games of each kind (default 5)")
    parser.add_argument("--clicks", type=int, default=20, help="in each game (default 20)")
    parser.add_argument("--save", action="store_true", help="keep the first site's figures")
    chosen = parser.parse_args()
    from playwright.sync_api import sync_playwright

    games: dict[str, list[Game]] = {name: [] for name in chosen.games}
    with contextlib.ExitStack() as running, sync_playwright() as playwright:
        sites = [address(site, running) for site in chosen.sites]
        found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for number in range(-1, chosen.rounds):  # the first round only warms the sites up
            for name in chosen.games:
                pages = [open_table(browser, site, name) for site in sites]
                game = play(pages, chosen.clicks, random.Random(number))
                if number >= 0:
                    games[name].append(game)
                for page in pages:
                    page.context.close()
    print(results.describe_machine())
    print("game    clicks" + "  p50 ms  p95 ms" * len(sites) + "   ratios of p50 and p95" * (len(sites) - 1))
    games["all"] = [game for kind in games.values() for game in kind]
    for name, kind in games.items():
        columns = list(zip(*(click for game in kind for click in game), strict=True))
        measured = [f"{figure(times):8.1f}" for times in columns for figure in FIGURES.values()]
        compared = [ratio(kind, figure) for figure in FIGURES.values() if len(columns) == 2]
        print(f"{name:<8}{len(columns[0]):6}" + "".join(measured), *compared, sep="   ")
    if chosen.save:
        print(results.save("clicks", {f"{key}, ms": of(columns[0]) for key, of in FIGURES.items()}))


if __name__ == "__main__":
    main()
