"""Measure what a click on a board takes, in a real Chromium beside the site: until the new state is drawn.

python -m benchmarks.clicks [--clicks 150] [--write]

The clock runs from the browser's receipt of the click to the frame after the answer was put into the page:
request, rules, drawing, the way back, layout and paint are all in it. Two people share the screen, so that
every click is answered at once; boards have their default sizes.
"""

import argparse
import os
import platform
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import chromium, results
from benchmarks.load.site import SETUPS, served
from benchmarks.pages import replace_part
from kakomi import catalog

PAGE = Path(__file__).resolve().parent.parent / "docs" / "speed.md"
HEADER = "| game | clicks | p50 | p95 | slowest |\n| --- | ---: | ---: | ---: | ---: |\n"
UNMEASURED = 5
"""Clicks at the start of a game, while scripts and rules are loaded."""

_LISTEN = """() => {
  window.waits = [];
  addEventListener("click", (event) => {
    if (!event.target.closest("#board .target, #confirm, [id^=off-]")) return;
    const began = event.timeStamp;
    const seen = new MutationObserver(() => {
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - began)));
    });
    seen.observe(document.getElementById("command"), { childList: true });
  }, true);
}"""
_NEXT = """(step) => {
  const complete = document.getElementById("confirm");
  if (complete) return "confirm";
  const targets = [...document.querySelectorAll("#board .target[data-action]")];
  if (targets.length) return targets[(step * 7919) % targets.length].id;
  return document.querySelector("[id^=off-]")?.id ?? "";
}"""
_IS_ANSWERED = """async (count) => {
  while (window.waits.length < count || document.getElementById("table").hasAttribute("aria-busy"))
    await new Promise((go) => setTimeout(go, 2));
}"""


def begin(page: Page, home: str, game: str) -> None:
    """A game of its default size, both players at this screen."""
    page.goto(f"{home}/play/{game}")
    page.locator("[name=opponent][value=beside]").check()
    if page.locator("[name=negotiate]").count():
        page.locator("[name=negotiate]").uncheck()
    page.locator("#opening button.primary").click()
    page.wait_for_url("**/table/*")
    page.evaluate(_LISTEN)


def measured(browser: Browser, home: str, game: str, clicks: int) -> list[float]:
    """Milliseconds for each click, those of a new game's first ones left out."""
    waits: list[float] = []
    page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    while len(waits) < clicks:
        begin(page, home, game)
        for step in range(clicks - len(waits) + UNMEASURED):
            name = page.evaluate(_NEXT, step)
            if not name:
                break
            page.locator(f"[id='{name}']").click()
            page.evaluate(_IS_ANSWERED, step + 1)
        waits += page.evaluate("window.waits")[UNMEASURED:]
    page.context.close()
    return waits[:clicks]


def cuts(waits: list[float]) -> list[float]:
    """The 99 percentiles."""
    return statistics.quantiles(waits, n=100, method="inclusive")


def line(game: str, waits: list[float]) -> str:
    """A row of the table."""
    title, shares = catalog.game(game).description.title, cuts(waits)
    return f"| {title} | {len(waits)} | {shares[49]:.0f} ms | {shares[94]:.0f} ms | {max(waits):.0f} ms |\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clicks", description=__doc__.splitlines()[0])
    parser.add_argument("--clicks", type=int, default=150, help="for each game (default 150)")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{PAGE.name}")
    parser.add_argument("--save", action="store_true", help="keep the percentiles in benchmarks/results")
    arguments: Any = parser.parse_args()
    rows, kept = [], {}
    with served(SETUPS["sqlite"]) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=["--no-sandbox"])
        for game in catalog.names():
            waits = measured(browser, f"http://localhost:{site.ports[0]}", game, arguments.clicks)
            rows.append(line(game, waits))
            kept |= {f"{game}, p{share}, ms": round(cuts(waits)[share - 1], 1) for share in (50, 95)}
            print(rows[-1], end="", flush=True)
        said = (
            f"Chromium {browser.version}, Python {platform.python_version()}, {os.cpu_count()} cores;"
            f" the load average was {os.getloadavg()[1]:.1f}, where this benchmark alone makes about 1.\n"
        )
        browser.close()
    if arguments.save:
        print(results.save("clicks", kept))
    if arguments.write:
        replace_part(PAGE, "clicks", f"{HEADER}{''.join(rows)}\n{said}")


if __name__ == "__main__":
    main()
