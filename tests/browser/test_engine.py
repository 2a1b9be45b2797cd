"""The engine in Chromium leaves the same memory as the processor, and plays as bots do."""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kakomi
from kakomi import catalog
from kakomi.analysis.move import null_move
from kakomi.bots import make_bot, strongest_search
from kakomi.bots.levels import spec_of_level
from kakomi.core import Game, Position
from kakomi.core.level_config import Adviser, LevelConfig
from kakomi.kernel.records import EMPTY
from kakomi.search import Search
from kakomi.search.playout import ownership_of_state
from kakomi.server.engines.decisions import decision_request, device_analysis, device_decision
from kakomi.session import Event, Match, MatchConfig, Seat
from kakomi.web import NETWORK, module_of, program_of
from kakomi.web.program import NOBODY, Segments

BOARDS: list[tuple[str, dict[str, int]]] = [
    ("lin", {"size": 5}),
    ("lin", {"size": 13}),
    ("ren", {"size": 4}),
    ("ren", {"size": 10}),
    ("rin", {"size": 6}),
    ("rin", {"size": 16}),
    ("rings", {"size": 3, "players": 3}),
    ("rings", {"size": 4, "players": 6}),
    ("rings", {"size": 6, "players": 2}),
    ("rive", {"size": 3}),
    ("rive", {"size": 5}),
]
ENGINE = Path(kakomi.__file__).parent / "server" / "static" / "engine" / "engine.js"
SIMULATIONS = 1_000
PLAYOUTS = 1_024
LONGEST = 5_000
"""Levels of more simulations would take long to compare."""
ORIGIN = "https://engine.test"
LOAD = """async ({ module, network, description, segments, networkSegments }) => {
  const { compile, Engine, Search } = await import("/engine.js");
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpacked = (all) => all.map(([at, text]) => [at, bytes(text)]);
  const memory = { description, segments: unpacked(segments) };
  const engine = await Engine.start(await compile(bytes(module)), memory);
  if (network) await engine.addNetwork(await compile(bytes(network)), unpacked(networkSegments));
  window.engine = engine;
  window.search = new Search(engine);
}"""
SEARCH = """async ({ actions, kind, seed, simulations, temperature }) => {
  search.begin(actions, kind, seed);
  for (let slice = 1; search.simulations < simulations && !search.isProven; slice *= 2)
    search.run(Math.min(slice, simulations - search.simulations));
  const report = search.report();
  return { action: search.choose(report, temperature), made: search.simulations, lines: report.lines };
}"""
WORK = """async ({ program, question }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const segments = program.segments.map(([at, text]) => [at, bytes(text)]);
  const worker = new Worker("/worker.js", { type: "module" });
  const heard = (wanted) => new Promise((tell, fail) => {
    worker.onmessage = ({ data }) => data.kind === "failed" ? fail(data.words) : wanted(data) && tell(data);
  });
  const memory = { description: program.description, segments };
  worker.postMessage({ kind: "load", module: bytes(program.module), program: memory });
  await heard(({ kind }) => kind === "ready");
  worker.postMessage({ kind: "search", id: 1, ...question });
  const found = await heard(({ isDone }) => isDone);
  worker.terminate();
  return found;
}"""
MEMORY = """async ([at, size]) => {
  const digest = await crypto.subtle.digest("SHA-256", engine.bytes.slice(at, at + size));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}"""


@pytest.fixture
def page(chrome: Any) -> Iterator[Any]:
    """An empty page that can import the engine."""
    files = {"/": ("text/html", "<!doctype html>")}
    for file in (ENGINE, ENGINE.with_name("worker.js")):
        files[f"/{file.name}"] = ("text/javascript", file.read_text(encoding="utf-8"))

    def serve(route: Any) -> None:
        kind, body = files[route.request.url.removeprefix(ORIGIN)]
        route.fulfill(content_type=kind, body=body)

    context = chrome.new_context()
    context.route(f"{ORIGIN}/**", serve)
    page = context.new_page()
    page.goto(f"{ORIGIN}/")
    yield page
    context.close()


def load(page: Any, game: Game, *, has_network: bool = False) -> dict[str, Any]:
    """Start a game's engine in a page. Return what describes it."""
    given = program_for(game, has_network=has_network)
    page.evaluate(LOAD, given)
    return dict(given["description"])


def program_for(game: Game, *, has_network: bool = False) -> dict[str, Any]:
    """A program and its modules, as they are sent to a page."""
    program = program_of(game, has_network=has_network)
    return {
        "module": _text(module_of(game.name)),
        "network": _text(module_of(NETWORK)) if has_network else "",
        "description": program.description,
        "segments": _texts(program.segments),
        "networkSegments": _texts(program.network_segments),
    }


def _texts(segments: Segments) -> list[tuple[int, str]]:
    return [(at, _text(content)) for at, content in segments]


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def same(page: Any, described: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Compare arrays with the engine's memory, byte for byte."""
    for name, array in arrays.items():
        found = page.evaluate(MEMORY, [described["arrays"][name]["at"], array.nbytes])
        assert found == hashlib.sha256(array.tobytes()).hexdigest(), name


def left_by(search: Search) -> dict[str, np.ndarray]:
    """What a search leaves in memory."""
    tree, space = search._tree, search._workers[0]._space
    used = len(tree.nodes) if tree.is_full else int(tree.header["used"][0])
    return {
        "header": tree.header,
        "nodes": tree.nodes[:used],
        "sums": tree.sums[:used],
        "clock": space.clock,
        "last_played": space.last_played,
        "rng": space.rng,
    }


@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_a_search_leaves_the_memory_that_the_processor_leaves(
    page: Any, name: str, options: dict[str, int]
) -> None:
    game = catalog.game(name, **options)
    described = load(page, game)
    position = played(game)
    for kind, adviser in ((NOBODY, Adviser.NOBODY), (Adviser.PRIOR, Adviser.PRIOR)):
        search = spec_of_level(LevelConfig(SIMULATIONS, adviser=adviser)).make_search(game, 5)
        report = search.run(position, simulations=SIMULATIONS)
        found = page.evaluate(SEARCH, asked(game, kind, SIMULATIONS))
        assert found["made"] == report.simulations
        assert [line["action"] for line in found["lines"]] == [line.action for line in report.lines]
        same(page, described, left_by(search))


def played(game: Game) -> Position:
    """The position after `first_actions`."""
    position = game.start()
    for action in first_actions(game):
        position = position.play_action(action)
    return position


def first_actions(game: Game) -> list[int]:
    """Some actions from the start of a game."""
    position, actions = game.start(), []
    for _ in range(6):
        legal = position.legal_actions()
        actions.append(legal[(7 * position.ply + 3) % len(legal)])
        position = position.play_action(actions[-1])
    assert not position.is_over
    return actions


def asked(game: Game, kind: str, simulations: int, temperature: float = 0) -> dict[str, Any]:
    """What to ask the engine in a page about the position after `first_actions`."""
    limits = {"simulations": simulations, "temperature": temperature}
    return {"actions": first_actions(game), "kind": kind, "seed": 5, **limits}


@pytest.mark.parametrize("name", catalog.names())
def test_a_level_plays_the_same_action_as_on_the_server(page: Any, name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    described = load(page, game)
    position = played(game)
    levels = [level for level in described["levels"] if level["simulations"] <= LONGEST]
    assert len(levels) >= 8
    for level in levels:
        question = asked(game, level["kind"], level["simulations"], level["temperature"])
        found = page.evaluate(SEARCH, question)
        assert found["action"] == make_bot(level["level"], seed=5).choose(position), level


@pytest.mark.parametrize("name", ["lin", "ren", "rive"])
@pytest.mark.parametrize("swap", [False, True])
def test_the_worker_decides_like_an_engine_of_the_site(page: Any, name: str, swap: bool) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    program = program_for(game)
    match = Match.begun(MatchConfig(game, swap=swap), [Seat(), Seat(bot="5")])
    choices = set()
    for action in game.start().legal()[::5]:
        reached = match.apply(Event(0, "play", action))
        if reached.to_act != 1:
            continue
        request = decision_request(reached, 1, "5", 7)
        bot, position = make_bot(5, seed=request["seed"]), reached.position
        swaps = request["may_swap"] and bot.wants_swap(position)
        found = page.evaluate(WORK, {"program": program, "question": device_decision(reached, 5, 7)})
        assert found["swaps"] == swaps
        assert swaps or found["action"] == bot.choose(position)
        choices.add(swaps)
    assert choices


@pytest.mark.parametrize("name", catalog.names())
def test_the_worker_analyses_like_an_engine_of_the_site(page: Any, name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    program, position = program_for(game), played(game)
    skipped = null_move(position if position.is_between_turns else game.start())
    for reached in filter(None, (position, skipped)):
        question = device_analysis(reached, 3, SIMULATIONS) | {"owners": True}
        found = page.evaluate(WORK, {"program": program, "question": question})
        report = strongest_search(game, seed=3).run(reached, simulations=SIMULATIONS)
        assert [line["action"] for line in found["lines"]] == [line.action for line in report.lines]
        assert found["chances"] == pytest.approx(report.chances)
        owned = ownership_of_state(game, reached.states(), PLAYOUTS, 3)
        assert found["owners"]["shares"] == pytest.approx(owned.owner)
        leads = found["owners"]["leads"]
        assert [one["lead"] for one in leads] == pytest.approx(owned.lead)
        assert [one["spread"] for one in leads] == pytest.approx(owned.spread)
        stones = [reached.stones().get(point, EMPTY) for point in game.geometry.names]
        assert [max(owner, EMPTY) for owner in found["owners"]["stones"]] == stones


@pytest.mark.parametrize("name", ["ren", "rive"])
def test_patterns_leave_equal_memory(page: Any, name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    described, position = load(page, game), played(game)
    search = spec_of_level(LevelConfig(300, adviser=Adviser.PATTERNS)).make_search(game, 5)
    search.run(position, simulations=300)
    page.evaluate(SEARCH, asked(game, Adviser.PATTERNS, 300))
    same(page, described, left_by(search))


def test_a_network_answers_almost_alike(page: Any) -> None:
    game = catalog.game("rive", **catalog.describe("rive").quick)
    described, position = load(page, game, has_network=True), played(game)
    search: Any = spec_of_level(LevelConfig(1, adviser=Adviser.NETWORK)).make_search(game, 5)
    search.run(position, simulations=1)
    page.evaluate(SEARCH, asked(game, Adviser.NETWORK, 1))
    answer = described["arrays"]["answer"]
    found = page.evaluate(
        "([at, n]) => Array.from(new Float32Array(engine.bytes.buffer, at, n))",
        [answer["at"], answer["shape"][0]],
    )
    assert np.allclose(found, search._evaluator.advice.answer, atol=1e-4, rtol=1e-4)
