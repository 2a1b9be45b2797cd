"""Compare the engine in Chromium with the processor, and with OpenSpiel's C++ search on the processor.

    python -m benchmarks.web [--seconds 4] [--save]

Every ratio is the median over rounds in which all sides are timed one after the other, in processor time, so
that it stays valid on a busy machine. It needs Playwright and Chromium; without OpenSpiel (`make bench` sets
it up) the column of the peer is empty.
"""

import argparse
import base64
import contextlib
import shutil
import statistics
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import kakomi
from benchmarks import results
from benchmarks.rows import ROWS, Row
from kakomi.bots.levels import spec_of_level
from kakomi.core import Game
from kakomi.core.level_config import Adviser, LevelConfig
from kakomi.search import Search
from kakomi.web import NETWORK, module_of, program_of
from kakomi.web.pages import page_of

ROUNDS = 5
ENGINE = Path(kakomi.__file__).parent / "server" / "static" / "engine" / "engine.js"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ORIGIN = "https://engine.test"
LOAD = """async ({ module, network, description, segments, networkSegments }) => {
  const { compile, Engine, Search } = await import("/engine.js");
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpacked = (all) => all.map(([at, text]) => [at, bytes(text)]);
  const code = bytes(module), evaluator = bytes(network);
  const program = { description, segments: unpacked(segments) }, weights = unpacked(networkSegments);
  const started = performance.now();
  window.engine = await Engine.start(await compile(code), program);
  if (evaluator.length) await engine.addNetwork(await compile(evaluator), weights);
  window.search = new Search(engine);
  return performance.now() - started;
}"""
SEARCH = """({ kind, seed, seconds }) => {
  search.begin([], kind, seed);
  const started = performance.now();
  while (performance.now() - started < 1000 * seconds && !search.isProven) search.run(50);
  return [search.simulations, engine.element("clock") - 1];
}"""
EVALUATE = """({ seconds }) => {
  const { at, shape } = engine.arrays.planes;
  const planes = new Float32Array(engine.bytes.buffer, at, shape[0] * shape[1]);
  const started = performance.now();
  let evaluations = 0;
  while (performance.now() - started < 1000 * seconds) {
    planes[shape[1]] = ++evaluations;
    engine.call("evaluate");
  }
  return evaluations;
}"""
CHOOSE = """({ simulations, temperature, kind }) => {
  const started = performance.now();
  search.begin([], kind, 1);
  search.run(simulations);
  search.choose(search.report(), temperature);
  return performance.now() - started;
}"""


@contextlib.contextmanager
def browser_page() -> Iterator[Any]:
    """Yield an empty page in Chromium that can import the engine."""
    from playwright.sync_api import sync_playwright

    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    files = {"/": ("text/html", "<!doctype html>"), "/engine.js": ("text/javascript", ENGINE.read_text())}

    def serve(route: Any) -> None:
        kind, body = files[route.request.url.removeprefix(ORIGIN)]
        route.fulfill(content_type=kind, body=body)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        page.route(f"{ORIGIN}/**", serve)
        page.goto(f"{ORIGIN}/")
        yield page
        browser.close()


def timed(page: Any, script: str, given: dict[str, Any]) -> tuple[Any, float]:
    """Run a script. Return its result, and its processor time in seconds."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = client.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    before = spent()
    return page.evaluate(script, given), spent() - before


def load(page: Any, game: Game) -> float:
    """Start a game's engine. Return how long that took, in seconds."""
    program = program_of(game)
    return float(
        page.evaluate(
            LOAD,
            {
                "module": _text(module_of(game.name)),
                "network": _text(module_of(NETWORK)) if program.network_segments else "",
                "description": program.description,
                "segments": [(at, _text(content)) for at, content in program.segments],
                "networkSegments": [(at, _text(content)) for at, content in program.network_segments],
            },
        )
        / 1000
    )


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def searches(page: Any, row: Row, game: Game, seconds: float) -> dict[str, float]:
    """Time searches of both sides and of the peer in turn."""
    share = seconds / ROUNDS / 3
    peer: Any = None
    if row.peer and find_spec("pyspiel"):
        from benchmarks.openspiel_peer import Peer

        peer = Peer(row.peer)
    Search(game).warm()
    ours, against, there = [], [], []
    for seed in range(ROUNDS):
        report = Search(game, seed=seed, clock=time.thread_time).run(game.start(), seconds=share)
        (made, plies), spent = timed(page, SEARCH, {"kind": "prior", "seed": seed, "seconds": share})
        there.append(made / spent)
        ours.append(made / spent / (report.simulations / report.seconds))
        if peer:
            waited, used = time.perf_counter(), time.thread_time()
            theirs = peer.search(share)[1]
            busy = (time.thread_time() - used) / (time.perf_counter() - waited)
            against.append(plies / spent / (theirs / busy))
    found = {"simulations a second": statistics.median(there), "to the processor": statistics.median(ours)}
    return found | ({"plies to OpenSpiel's": statistics.median(against)} if against else {})


def evaluations(page: Any, game: Game, seconds: float) -> float:
    """Return how many evaluations of the network Chromium does while the processor does one."""
    spec = spec_of_level(LevelConfig(1, adviser=Adviser.NETWORK))
    search: Any = spec.make_search(game, 1)
    search.warm()
    evaluator, ratios = search._evaluator, []
    for _ in range(ROUNDS):
        count, started = 0, time.thread_time()
        while (elapsed := time.thread_time() - started) < seconds / ROUNDS / 2:
            count += 1
            evaluator.advice.planes[1, 0] = count  # so that no answer is known
            evaluator.evaluate()
        theirs, spent = timed(page, EVALUATE, {"seconds": seconds / ROUNDS / 2})
        ratios.append(theirs / spent / (count / elapsed))
    return statistics.median(ratios)


def figures_of(page: Any, row: Row, seconds: float) -> dict[str, float]:
    """Measure a row of the table."""
    game = kakomi.game(row.game, **row.options)
    started = load(page, game)
    level = game.description.levels[3]
    asked = {"simulations": level.simulations, "temperature": level.temperature}
    first = page.evaluate(CHOOSE, {**asked, "kind": level.adviser or "nobody"}) / 1000
    again = page.evaluate(CHOOSE, {**asked, "kind": level.adviser or "nobody"}) / 1000
    found = {
        "module, kB": len(module_of(game.name)) / 1000,
        "start and first answer, s more": started + first - again,
    }
    found["page, kB"] = len(page_of([row.game]).encode()) / 1000
    found |= searches(page, row, game, seconds)
    if game.description.measured_file("network.npz"):
        found["network to the processor"] = evaluations(page, game, seconds)
    return found


COLUMNS = {
    "simulations a second": "{:>12,.0f}",
    "to the processor": "{:>11.2f}",
    "plies to OpenSpiel's": "{:>12.1f}",
    "network to the processor": "{:>9.2f}",
    "module, kB": "{:>10.1f}",
    "page, kB": "{:>8.0f}",
    "start and first answer, s more": "{:>8.3f}",
}
HEADER = (
    f"{'game':<10}{'sims/s':>12}{'to CPU':>11}{'OpenSpiel x':>12}{'network':>9}"
    f"{'module kB':>10}"
    f"{'page kB':>8}{'start s':>8}"
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="for each figure of a row (default 4)")
    parser.add_argument("--save", action="store_true", help="keep the figures in benchmarks/results")
    arguments = parser.parse_args()
    print(results.describe_machine())
    if not find_spec("pyspiel"):
        print("OpenSpiel is missing: `make bench` sets it up in .venv-bench")
    print(f"{NETWORK}.wasm: {len(module_of(NETWORK)) / 1000:.1f} kB")
    print(HEADER)
    saved: dict[str, float] = {}
    for row in ROWS:
        name = " ".join([row.game, *map(str, row.options.values())])
        with browser_page() as page:
            found = figures_of(page, row, arguments.seconds)
        cells = [
            form.format(found[column]) if column in found else " " * len(form.format(0))
            for column, form in COLUMNS.items()
        ]
        print(f"{name:<10}" + "".join(cells), flush=True)
        saved |= {f"{name}, {column}": round(value, 3) for column, value in found.items()}
    if arguments.save:
        print(results.save("web", saved))


if __name__ == "__main__":
    main()
