"""Studying a game on an analysis board, and solving an example of the rules."""

import random
import re

import pytest

from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until

_MOST_STEPS = 20
_HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  delete document.hidden;
}"""
_NODE = "document.getElementById('study').dataset.node"


def _studied(visitor: Visitor, size: int = 3) -> None:
    """Play some turns at one screen, and open the game as an analysis board."""
    begin(visitor, "rive", size, "beside")
    Sitting(visitor).play_on(random.Random(5), turns=8)
    visitor.open_menu()
    visitor.page.locator("#analyse").click()
    visitor.await_page("/analysis/study/")


def _await_node(visitor: Visitor, number: str) -> None:
    until(visitor.page, f"(number) => {_NODE} === number", number)


def _node(visitor: Visitor) -> str:
    return str(visitor.page.evaluate(_NODE))


def test_a_game_is_stepped_through_by_buttons_and_keys(visitor: Visitor) -> None:
    _studied(visitor)
    page = visitor.page
    page.locator("[data-step=last]").click()
    expect(page.locator("[data-step=on]")).to_have_attribute("data-node", _node(visitor))
    last = _node(visitor)
    assert int(last) >= 4
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    page.locator("#moves-title").click()
    page.keyboard.press("ArrowRight")
    _await_node(visitor, "1")
    page.keyboard.press("End")
    _await_node(visitor, last)
    page.keyboard.press("Home")
    _await_node(visitor, "0")
    page.locator(f"#moves [data-node='{last}']").click()
    _await_node(visitor, last)
    expect(page.locator("#moves [aria-current=step]")).to_have_attribute("data-node", last)


def test_another_turn_grows_a_variation_that_a_reload_keeps(visitor: Visitor) -> None:
    _studied(visitor)
    page = visitor.page
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    known = page.locator("#moves [data-node='1']").inner_text().split()[-1]
    target = page.locator(f"#board .target[data-action]:not([data-action='{known}'])").first
    target.click()
    until(page, f"() => {_NODE} !== '0'")
    expect(page.locator("#moves ol[aria-label]")).to_be_visible()
    page.locator("#comment-text").fill("better")
    page.locator("#comment button").click()
    expect(page.locator("#moves .has-comment")).to_be_visible()
    page.reload()
    expect(page.locator("#comment-text")).to_have_value("better")


def test_the_engines_lines_stream_in_and_stand_on_the_board(visitor: Visitor) -> None:
    _studied(visitor, size=5)
    page = visitor.page
    page.locator("#engine-switch").click()
    visits = page.locator("#lines ol.lines li .fine").first
    expect(page.locator("#board g.hints")).not_to_be_empty()
    expect(visits).not_to_have_text(visits.inner_text())
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    expect(page.locator("#lines:not(.is-old) ol.lines li").first).to_be_visible()
    page.locator("#engine-switch").click()
    expect(page.locator("#lines")).to_be_empty()


def test_likely_owners_are_shown_on_the_board(visitor: Visitor) -> None:
    _studied(visitor)
    page, shades = visitor.page, visitor.page.locator("#board g.owners use")
    switch = page.locator("#owners-switch")
    switch.click()
    expect(page.locator("#engine-switch")).to_have_attribute("aria-pressed", "true")
    expect(shades.first).to_be_attached()
    lead = re.compile(r"(Black|White) leads by [\d.]+ ± [\d.]+")
    expect(page.locator("#lines p.fine")).to_contain_text(lead)
    assert 0 < float(shades.first.get_attribute("fill-opacity") or 0) <= 1
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    expect(shades.first).to_be_attached()
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(shades).to_have_count(0)
    expect(page.locator("#engine-switch")).to_have_attribute("aria-pressed", "true")


def _addresses(visitor: Visitor) -> list[str]:
    """The addresses that the page requests from now on."""
    found: list[str] = []
    visitor.page.on("request", lambda request: found.append(request.url))
    return found


def _await_no_worker(visitor: Visitor) -> None:
    while visitor.page.workers:
        visitor.page.wait_for_timeout(20)


def _analyse(visitor: Visitor, where: str) -> None:
    """Turn the engine on, and await lines that it found there."""
    page = visitor.page
    switch = page.locator("#engine-switch")
    while switch.get_attribute("aria-pressed") == "false":  # its script may come after the page
        switch.click()
    expect(page.locator("#lines")).to_contain_text(where)
    expect(page.locator("#lines ol.lines li .principal").first).not_to_be_empty()


def test_the_engine_runs_on_the_visitors_device(visitor: Visitor) -> None:
    _studied(visitor)
    page, asked = visitor.page, _addresses(visitor)
    _analyse(visitor, "on your device")
    expect(page.locator("#board g.hints text").first).to_contain_text("%")
    assert page.workers
    assert not [address for address in asked if "/engine?" in address]
    page.locator("#engine-switch").click()
    expect(page.locator("#lines")).to_be_empty()
    _await_no_worker(visitor)
    _analyse(visitor, "on your device")
    page.evaluate(_HIDE)
    _await_no_worker(visitor)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, "() => !document.querySelector('#lines.is-old')")
    assert page.workers
    before = _node(visitor)
    page.locator("#lines ol.lines .move").first.click()
    until(page, f"(before) => {_NODE} !== before && !document.querySelector('#lines.is-old')", before)
    page.locator("#prove-further").click()
    expect(page.locator("#proof")).not_to_be_empty()
    assert [address for address in asked if "/engine?" in address]


@pytest.mark.parametrize("lacking", ["WebAssembly", "Worker", "a module"])
def test_the_server_answers_where_the_device_cant(visitor: Visitor, lacking: str) -> None:
    _studied(visitor)
    page = visitor.page
    if lacking == "a module":
        page.route("**/*.wasm?*", lambda route: route.fulfill(body="damaged"))
    else:
        page.add_init_script(f"delete window.{lacking}")
    page.reload()
    _analyse(visitor, "on the server")
    expect(page.locator("#owners-switch")).to_be_hidden()
    _await_no_worker(visitor)


def test_a_lesson_that_is_completed_is_ticked_and_leads_to_the_next(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/rive/course")
    page.get_by_role("link", name="Start: ").click()
    visitor.await_page("/rules/rive/course/apart")
    lessons = page.locator("#course-lessons li")
    expect(lessons.first).not_to_have_class("is-done")
    page.locator("#example-apart-board-point-c1").click()
    expect(lessons.first).to_have_class("is-done")
    expect(page.locator("progress")).to_have_attribute("value", "1")
    page.locator("#example-apart-next").click()
    visitor.await_page("/rules/rive/course/smallest")
    expect(lessons.first).to_have_class("is-done")


def test_a_reader_solves_an_example(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/rin")
    example = page.locator(".example.is-open").first
    name = example.get_attribute("id")
    for _ in range(_MOST_STEPS):
        example = page.locator(f"#{name}")
        if not example.locator("button[value=show]").count():
            break
        played = example.locator("input[name=played]").input_value()
        example.locator("button[value=show]").click()
        expect(example.locator("input[name=played]")).not_to_have_value(played)
    expect(example.locator(".alert.good")).to_be_visible()
    expect(page.locator("#announced")).not_to_be_empty()


def test_a_readers_own_move_is_answered(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/lin")
    example = page.locator(".example.is-open").first
    name = example.get_attribute("id")
    example.locator(".target").first.click()
    expect(page.locator(f"#{name} .alert")).not_to_be_empty()


def test_a_player_replays_a_turning_point(visitor: Visitor) -> None:
    begin(visitor, "rive", 3, "beside", negotiate="off")  # a bot's replies differ between runs
    page, sitting = visitor.page, Sitting(visitor)
    sitting.play_on(random.Random(4), turns=8)
    sitting.await_turn()
    page.locator("#resigning summary").click()
    page.locator("#resign").click()
    expect(page.locator(".ending h2")).to_be_visible()
    page.locator("#turning-points").click()
    visitor.await_page("/analysis/study/")
    expect(page.locator("#game-analysis .accuracy")).to_be_visible()
    points = page.locator("#game-analysis .turning-points > li")
    expect(points.first).to_be_visible()
    assert points.count() <= 5
    points.first.locator("summary").click()
    better = points.first.locator("details").inner_text().split("\n")[-1].split()[0]
    points.first.get_by_role("link", name="Try again").click()
    page.wait_for_url("**/try/*")
    page.locator(f"#try .target[data-action='{better}']").click()
    expect(page.locator("#try .alert.good")).to_be_visible()
    expect(page.locator("#announced")).to_contain_text("Right")


def test_the_engine_never_covers_the_moves(visitor: Visitor) -> None:
    """In low windows too, after many moves (issue 42)."""
    begin(visitor, "rin", 8, "beside", negotiate="off")
    page, sitting = visitor.page, Sitting(visitor)
    sitting.play_on(random.Random(4), turns=20)
    page.goto(f"/analysis/table/{page.url.rsplit('/', 1)[1]}")
    expect(page.locator("#engine-switch")).to_be_enabled()
    for width, height in ((1280, 800), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        for is_on in ("false", "true"):
            expect(page.locator("#engine-switch")).to_have_attribute("aria-pressed", is_on)
            moves, engine = page.evaluate(  # both at once, as the list shrinks when the engine is on
                "() => ['moves', 'engine'].map((id) => document.getElementById(id).getBoundingClientRect())"
            )
            assert moves["height"] > 40
            assert moves["bottom"] <= engine["top"] or engine["bottom"] <= moves["top"]
            page.keyboard.press("e")
