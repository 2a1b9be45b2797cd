"""Bots and the coach think in the visitor's browser, and on the server where that can't."""

import random
from typing import Any

import pytest

from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until

_SAYS = "(where) => document.querySelector('[data-engine]')?.textContent.includes(where)"
_PREPARE = """async () => {
  const { prepareHere } = await import("/static/engine/device.js");
  await prepareHere();
}"""


def _begun(visitor: Visitor, where: str) -> tuple[Sitting, list[str]]:
    """A game against a bot that thinks there, and the bodies of all requests from now on."""
    begin(visitor, "rive", 3, "3", side="0", negotiate="off")
    until(visitor.page, _SAYS, where)
    bodies: list[str] = []
    visitor.page.on("request", lambda request: bodies.append(f"{request.url} {request.post_data or ''}"))
    return Sitting(visitor), bodies


def _entries(visitor: Visitor) -> int:
    return int(visitor.page.locator("#table").get_attribute("data-entries") or 0)


def _decisions(bodies: list[str]) -> list[str]:
    return [body for body in bodies if "kind=decide" in body]


def _prepare(visitor: Visitor) -> None:
    """Wait until the page's engine is ready, so that the server leaves decisions to it."""
    visitor.page.evaluate(_PREPARE)


def test_bots_think_on_the_visitors_device(visitor: Visitor) -> None:
    sitting, bodies = _begun(visitor, "on your device")
    page = visitor.page
    _prepare(visitor)
    sitting.play_on(random.Random(3), turns=4)
    sitting.await_turn()
    bases = [int(body.split("base=")[1].split("&")[0]) for body in _decisions(bodies)]
    assert bases and len(set(bases)) == len(bases), "each decision is made once"
    assert max(bases) < _entries(visitor)
    assert page.workers
    page.goto("/")
    while page.workers:
        page.wait_for_timeout(20)


@pytest.mark.parametrize("lacking", ["WebAssembly", "Worker", "a module"])
def test_bots_think_on_the_server_where_the_device_cant(visitor: Visitor, lacking: str) -> None:
    page = visitor.page
    if lacking == "a module":
        page.route("**/*.wasm?*", lambda route: route.fulfill(body="damaged"))
    else:
        page.add_init_script(f"delete window.{lacking}")
    sitting, bodies = _begun(visitor, "on the server")
    sitting.play_on(random.Random(3), turns=3)
    sitting.await_turn()
    assert not page.workers
    assert all("kind=decide+&" in f"{body}&" or "kind=decide&" in f"{body}&" for body in _decisions(bodies))


def test_an_engine_that_breaks_down_hands_over(visitor: Visitor) -> None:
    sitting, bodies = _begun(visitor, "on your device")
    page = visitor.page
    _prepare(visitor)
    page.evaluate("""() => {
      Worker.prototype.postMessage = function () { this.onerror(); };
    }""")
    sitting.play_on(random.Random(3), turns=1)
    sitting.await_turn()
    until(page, _SAYS, "on the server")
    assert [body for body in _decisions(bodies) if body.endswith("kind=decide+")]


def test_the_coach_thinks_on_the_visitors_device(visitor: Visitor) -> None:
    sitting, bodies = _begun(visitor, "on your device")
    page = visitor.page
    page.locator("#coach-on").click()
    chance = page.locator("[data-coach] [data-part=chance]")
    expect(chance).to_contain_text("on your device")
    sitting.play_on(random.Random(3), turns=1)
    sitting.await_turn()
    verdict = page.locator("[data-coach] [data-part=verdict]:not(.is-old)")
    expect(verdict).to_contain_text("Your last move")
    assert [body for body in bodies if "/coach {" in body]


def test_the_server_coaches_where_the_device_cant(visitor: Visitor) -> None:
    page = visitor.page
    page.route("**/*.wasm?*", lambda route: route.fulfill(body="damaged"))
    _begun(visitor, "on the server")
    page.locator("#coach-on").click()
    chance: Any = page.locator("[data-coach] [data-part=chance]")
    expect(chance).to_contain_text("for you")
    expect(chance).not_to_contain_text("device")
