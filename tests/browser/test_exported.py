"""Exported pages, opened as files without a network: they play, keep records, and look like the site."""

import itertools
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from browser.axe import faults
from kakomi import catalog
from kakomi.core import Position
from kakomi.core.level_config import Adviser
from kakomi.draw.svg import draw_changes
from kakomi.records import position_after, read, recorded, result_by_rules, write_json
from kakomi.web.pages import page_of, write_folder
from sampling import sample

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAMES = ("lin", "ren", "rin", "rings", "rive")
MOST_BYTES = 700_000
PROJECT = Path(__file__).resolve().parents[2]
LINKING = PROJECT / ".venv-web" / "bin" / "python"
DEVICES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
FINISH = """async () => {
  for (let move = 0; !document.querySelector("#new-game.primary"); ) {
    const there = [...document.querySelectorAll("#board .target[data-action]")];
    const open = there.length ? there : [...document.querySelectorAll("#actions [id^=action-]")];
    open[(7 * move) % open.length]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    move += open.length ? 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, open.length ? 0 : 20));
  }
}"""
SHOW = """(names) => {
  for (const box of document.querySelectorAll("[id^=overlay-]"))
    if (box.checked !== names.includes(box.id.slice("overlay-".length))) box.click();
}"""
IN_WORKER = """const Whole = Blob;
window.Blob = class extends Whole {
  constructor(parts, options) {
    super(options?.type === "text/javascript" ? [`{code}`, ...parts] : parts, options);
  }
};"""
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page of each game."""
    folder = tmp_path_factory.mktemp("exported")
    for name in GAMES:
        (folder / f"{name}.html").write_text(page_of([name]), encoding="utf-8")
    return folder


@pytest.fixture
def opened(chrome: Any, folder: Path) -> Iterator[Open]:
    """Opens a page in a browser without a network, and checks at the end that it has reported no error."""
    contexts, troubles = [], []

    def come(name: str, fragment: str = "", before: str = "", **device: Any) -> "Page":
        context = chrome.new_context(offline=True, reduced_motion="reduce", **device)
        contexts.append(context)
        page: Page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        if before:
            page.add_init_script(before)
        page.goto(f"{(folder / f'{name}.html').as_uri()}{fragment}")
        page.wait_for_selector("#board, #failure")
        return page

    yield come
    for context in contexts:
        context.close()
    assert troubles == []


def play(page: "Page", actions: int) -> None:
    """Play actions of a person, and wait for the bot's answers."""
    for number in range(actions):
        page.wait_for_selector("#board .target[data-action], #actions [id^=action-]")
        targets = page.locator("#board .target[data-action]")
        if targets.count():
            targets.nth(7 * number % targets.count()).dispatch_event("click")
        else:
            page.locator("#actions [id^=action-]").first.click()


def seat(page: "Page", *levels: str) -> None:
    for number, level in enumerate(levels):
        page.select_option(f"#seat-{number}", level)


def saved(page: "Page", button: str) -> str:
    if not page.is_visible(f"#{button}"):
        page.click("#record > summary")
    with page.expect_download() as download:
        page.click(f"#{button}")
    return Path(download.value.path()).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_answers_and_the_record_is_legal(name: str, opened: Open, folder: Path, tmp_path: Path) -> None:
    assert (folder / f"{name}.html").stat().st_size <= MOST_BYTES
    page = opened(name)
    seat(page, "0", "1")
    play(page, 6)
    page.wait_for_selector("#board .target[data-action], #actions [id^=action-]")
    text = saved(page, "save-json")
    record = read(text.encode(), catalog.game)
    assert record.game == name
    assert len(record.turns) >= 3
    assert {turn.player for turn in record.turns} >= {0, 1}
    assert record.seats[1].bot == "level 1"
    page.click("#undo")
    page.click("#new-game")
    (tmp_path / "game.json").write_text(text, encoding="utf-8")
    page.set_input_files("#open", tmp_path / "game.json")
    page.click("#step-last")
    assert json.loads(saved(page, "save-json"))["turns"] == json.loads(text)["turns"]


@pytest.mark.parametrize("name", ["lin", "ren", "rin"])
def test_a_record_goes_through_sgf(name: str, opened: Open, tmp_path: Path) -> None:
    page = opened(name)
    seat(page, "0", "0")
    play(page, 5)
    text = saved(page, "save-sgf")
    turns = json.loads(saved(page, "save-json"))["turns"]
    record = read(text.encode(), catalog.game)
    assert [list(turn.actions) for turn in record.turns] == [turn["actions"] for turn in turns]
    page.click("#new-game")
    (tmp_path / "game.sgf").write_text(text, encoding="utf-8")
    page.set_input_files("#open", tmp_path / "game.sgf")
    page.click("#step-last")
    assert json.loads(saved(page, "save-json"))["turns"] == turns


@pytest.mark.parametrize(
    ("name", "device", "levels"),
    sample(itertools.product(GAMES, DEVICES, [("0", "0"), ("0", "1"), ("1", "1")]), 8, "to the end"),
)
def test_a_game_is_played_to_the_end(
    name: str, device: str, levels: tuple[str, ...], opened: Open, tmp_path: Path
) -> None:
    """By two people, a person and a bot, or two bots. Kakomi's own replay of the record ends alike."""
    page = opened(name, **DEVICES[device])
    page.select_option("#size", label=f"Size {catalog.describe(name).quick['size']}")
    seat(page, *levels)
    finish(page)
    ends_as_replayed(page, name, tmp_path)


@pytest.mark.parametrize("device", DEVICES)
def test_three_people_and_bots_play_to_the_end(device: str, opened: Open, tmp_path: Path) -> None:
    page = opened("rings", **DEVICES[device])
    page.select_option("#size", label="Size 3 · Players 3")
    seat(page, "0", "1", "0")
    finish(page)
    ends_as_replayed(page, "rings", tmp_path)


def finish(page: "Page") -> None:
    """Play for all people until the game is over: on the board as long as that is legal."""
    page.evaluate(FINISH)
    page.wait_for_selector("#new-game.primary")


def ends_as_replayed(page: "Page", name: str, folder: Path) -> None:
    """Compare the end of a game with Kakomi's replay of what the page saves, and with what it loads."""
    endings = ["json"] + ["sgf"] * page.locator("#save-sgf").count()
    shown = page.inner_text("#prompt"), page.locator(".player .value").all_inner_texts()
    for ending, text in [(ending, saved(page, f"save-{ending}")) for ending in endings]:
        record = read(text.encode(), catalog.game)
        position = position_after(record, catalog.game(record.game, **record.options))
        scores, names = position.scores(), position.game.player_names
        assert position.is_over
        assert shown[1] == [str(score) for score in scores]
        winners = [names[player] for player, score in enumerate(scores) if score == max(scores)]
        shared = "A draw" if len(winners) == len(names) else f"{', '.join(winners)} share the win"
        assert shown[0] == (shared if len(winners) > 1 else f"{winners[0]} wins")
        assert record.result == result_by_rules(position)
        seat(page, *("0" for _ in names))  # bots would begin at once
        page.click("#new-game")
        assert page.locator("#moves button").count() == 0
        (folder / f"game.{ending}").write_text(text, encoding="utf-8")
        page.set_input_files("#open", folder / f"game.{ending}")
        page.wait_for_selector("#step-last:enabled")
        page.click("#step-last")
        assert page.locator(".player .value").all_inner_texts() == shown[1]


@pytest.mark.parametrize("name", GAMES)
def test_the_board_is_drawn_as_on_the_site(name: str, opened: Open) -> None:
    """All layers are equal, mark by mark, with every overlay, in the middle and at the end of a game."""
    game = catalog.game(name, **catalog.describe(name).quick)
    for plies in (25, 60, 1000):
        position = played(game.start(), plies)
        page = opened(name, f"#record={quote(record_of(position))}")
        page.locator("#moves button").nth(position.ply - 1).wait_for(state="attached")
        every = [overlay.name for overlay in position.overlays()]
        for names in (*([name] for name in every), [name for name in every if name != "influence"]):
            page.evaluate(SHOW, names)
            expected = layers(draw_changes(shown(position, names), "board"))
            found = layers(page.evaluate("document.querySelector('#board').outerHTML"))
            for layer in ("areas", "circles", "stones", "lasts", "choices", "marks", "playable"):
                assert alike(found[layer], expected[layer]), (layer, plies, names)


def played(position: Position, plies: int) -> Position:
    for ply in range(plies):
        if position.is_over:
            break
        actions = position.legal_actions()
        position = position.play_action(actions[37 * ply % len(actions)])
    return position


def record_of(position: Position) -> bytes:
    texts = [position.game.action_texts[action] for action in position.played()]
    return write_json(recorded(position.game, texts))


def shown(position: Position, names: list[str]) -> Any:
    """The scene with some overlays, and those that are always on; and with the dots for newcomers."""
    scene = position.scene(legal=True)
    overlays = tuple(one for one in position.overlays() if one.name in names or one.is_lasting)
    return replace(scene, overlays=overlays, dotted=position.game.description.dots_for_newcomers)


def layers(svg: str) -> dict[str, list[tuple[str, float, float]]]:
    """The elements of each layer: attributes in alphabetical order and text, x, y."""
    found = {}
    for name, inside in re.findall(r'<g class="(\w+)">(.*?)</g>', svg, re.DOTALL):
        found[name] = []
        for tag, rest, text in re.findall(r"<(\w+)((?: [\w-]+=\"[^\"]*\")*) ?/?>([^<]*)", inside):
            attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', rest))
            x, y = (float(attributes.pop(name, 0)) for name in "xy")
            found[name].append((f"{tag} {sorted(attributes.items())} {text.strip()}", x, y))
        found[name].sort()
    return found


def alike(found: list[tuple[str, float, float]], expected: list[tuple[str, float, float]]) -> bool:
    """Whether elements are equal; texts may be a tenth apart, as their places are rounded twice."""
    return len(found) == len(expected) and all(
        one[0] == other[0]
        and max(abs(one[1] - other[1]), abs(one[2] - other[2])) < 0.11 * one[0].startswith("text") + 1e-9
        for one, other in zip(found, expected, strict=True)
    )


def test_an_analysis_gives_chances_and_lines(opened: Open) -> None:
    page = opened("rive")
    page.click("#analyse")
    page.wait_for_selector("#lines li")
    assert re.search(r"Black \d+ %", page.inner_text("#engine-state"))
    page.locator("#lines .move").first.click()
    assert page.locator("#moves button").count() >= 1
    assert not page.locator("#board g.areas use").count()
    page.click("#owners")
    page.wait_for_selector("#board .target[aria-label*='Likely owners: ']")
    assert page.locator("#board g.areas use").count() > 20
    assert re.search(r"(Black|White) leads by [\d.]+ ± [\d.]+", page.inner_text("#engine-state"))
    page.click("#owners")
    page.wait_for_selector("#owners[aria-pressed=false]")
    assert not page.locator("#board g.areas use").count()


def test_it_speaks_german_and_needs_no_mouse(opened: Open) -> None:
    page = opened("rin", locale="de-DE")
    assert page.inner_text("#undo") == "Rückgängig"
    assert page.get_attribute("html", "lang") == "de"
    target = page.locator("#board .target[tabindex='0']")
    target.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves button")
    page.click("#language")
    assert page.inner_text("#undo") == "Undo"


@pytest.mark.parametrize("name", ["rin", "rings"])
def test_axe_finds_no_faults(name: str, opened: Open) -> None:
    page = opened(name)
    play(page, 2)
    page.click("#rules > summary")
    assert faults(page, colours=True) == []


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("delete window.WebAssembly", "lacks WebAssembly"),
        ("const atob_ = atob; window.atob = (text) => atob_(text).slice(0, 999)", "damaged"),
        ("WebAssembly.Memory.prototype.grow = () => { throw new RangeError() }", "enough memory"),
    ],
)
def test_what_cannot_run_says_why(before: str, words: str, opened: Open) -> None:
    page = opened("rive", before=before)
    assert words in page.inner_text("#failure")


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (
            "window.Worker = class { constructor() { throw new Error(); } }",
            "can’t run bots and analysis here",
        ),
        (
            IN_WORKER.replace(
                "{code}", "WebAssembly.Memory.prototype.grow = () => { throw new RangeError(); };"
            ),
            "enough memory for bots",
        ),
    ],
)
def test_people_play_where_bots_cannot(before: str, words: str, opened: Open) -> None:
    page = opened("rive", before=before)
    play(page, 1)
    page.locator("#prompt", has_text=words).wait_for()
    assert words in page.inner_text("#said")
    assert page.is_disabled("#analyse")
    assert page.locator("#seat-1 option:enabled").all_inner_texts() == ["Person"]
    play(page, 2)
    assert page.locator("#moves button").count() == 3


def test_a_browser_without_simd_plays_without_the_network(opened: Open) -> None:
    """Only the network's module needs it, which alone imports something."""
    refused = """const compileAny = WebAssembly.compile;
    WebAssembly.compile = async (bytes) => {
      const module = await compileAny(bytes);
      if (WebAssembly.Module.imports(module).length) throw new WebAssembly.CompileError();
      return module;
    };"""
    page = opened(
        "rive", before=f"WebAssembly.validate = () => false; {IN_WORKER.replace('{code}', refused)}"
    )
    assert "can’t run neural networks" in page.inner_text("#engine-state")
    advisers = [level.adviser for level in catalog.describe("rive").levels]
    assert page.locator("#seat-1 option:disabled").count() == advisers.count(Adviser.NETWORK) > 0
    play(page, 2)
    page.wait_for_selector("#board .target[data-action]")
    page.click("#analyse")
    page.wait_for_selector("#lines li")


@pytest.mark.parametrize(
    ("name", "plays", "place", "reason"),
    [
        ("lin", 2, "stone", "there is already a stone on that point"),
        (
            "ren",
            1,
            "stone",
            "that stone isn't weak (rui): you can only replace stones next to one that has just scored",
        ),
        ("rin", 1, "stone", "there is already a stone on that point"),
        ("rings", 0, "cell", "first place a stone on an empty point, or pass"),
        ("rive", 1, "stone", "there is already a stone on that cell"),
    ],
)
def test_an_illegal_point_says_why(name: str, plays: int, place: str, reason: str, opened: Open) -> None:
    page = opened(name)
    seat(page, "0", "0")
    play(page, plays)
    where = "[data-cell]" if place == "cell" else "[aria-label*=' stone']"
    target = page.locator(f"#board .target{where}").first
    target.dispatch_event("click")
    assert page.inner_text("#prompt").endswith(f" can't be played: {reason}")
    assert page.inner_text("#said") == page.inner_text("#prompt")
    assert page.locator("#moves button").count() == plays


def test_a_folder_works_offline_after_the_first_visit(chrome: Any, tmp_path: Path) -> None:
    write_folder(tmp_path)
    context = chrome.new_context(reduced_motion="reduce")
    page = context.new_page()
    with served(tmp_path) as address:
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready")
        page.wait_for_function("navigator.serviceWorker.controller")
        assert page.locator(".games a").count() == len(catalog.names())
        page.click("#language")
        assert "auch offline" in page.inner_text("main")
        assert faults(page, colours=True) == []
        page.set_content("<iframe sandbox='allow-scripts' src='rin.html'></iframe>")
        page.frame_locator("iframe").locator("#board").wait_for()
        page.goto(address)
    context.set_offline(True)
    page.click(".games a[href='rin.html']")
    page.wait_for_selector("#board")
    assert page.inner_text("#undo") == "Rückgängig"
    context.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *told: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_sixth_game_becomes_a_page(opened: Open, folder: Path, tmp_path: Path) -> None:
    python = sys.executable if find_spec("ziglang") else str(LINKING)
    if not Path(python).exists():
        pytest.skip("the linker of WebAssembly is not installed: `make web` sets it up")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--target", str(tmp_path)]
    install = [sys.executable, "-m", "pip", "install", *options, str(PROJECT / "examples" / "kakomi-reversi")]
    subprocess.run(install, check=True, capture_output=True)
    beside = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{PROJECT / 'src'}"}
    command = [python, "-m", "kakomi", "export", "reversi", str(folder / "reversi.html")]
    subprocess.run(command, check=True, capture_output=True, env=beside)
    page = opened("reversi")
    page.select_option("#size", label="Size 6")
    seat(page, "1", "1")
    page.wait_for_selector("#new-game.primary", timeout=60_000)
    assert sum(map(int, page.locator(".player .value").all_inner_texts())) <= 36
