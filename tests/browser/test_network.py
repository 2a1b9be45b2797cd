"""Clicks on a slow, stalled or lost network are sent once and in order, and the page shows the status.

A page also shows it if some of its scripts don't load.
"""

import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Invite
from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until

if TYPE_CHECKING:
    from playwright.sync_api import Route

CLICKS = """async (names) => {
  for (const name of names) {
    const click = new PointerEvent("click", { bubbles: true, pointerType: "mouse" });
    document.getElementById(name).dispatchEvent(click);
    await new Promise((go) => setTimeout(go, 30));
  }
}"""


def _entries(sitting: Sitting) -> int:
    return int(sitting.look().mark.partition("/")[0])


def _second_turn(visitor: Visitor) -> Sitting:
    """Rin at one screen after Black's first stone, where White plays two."""
    begin(visitor, "rin", 8, "beside")
    sitting = Sitting(visitor)
    sitting.click("board-point-1,1")
    sitting.await_turn()
    return sitting


def test_clicks_that_follow_fast_are_all_played(visitor: Visitor) -> None:
    sitting = _second_turn(visitor)
    visitor.page.evaluate(CLICKS, ["board-point-3,3", "board-point-4,4"])
    until(visitor.page, "() => command.elements.seen.value === '3,3 4,4'")
    visitor.page.locator("#confirm").click()
    until(visitor.page, "() => table.dataset.entries === '3'")
    assert sitting.look().is_mine


def _clicks_before_an_answer(visitor: Visitor, *points: str) -> None:
    """Make several clicks, holding the response to the first until after the last."""
    held: list[Route] = []
    visitor.page.route("**/act", lambda route: route.continue_() if held else held.append(route))
    visitor.page.evaluate(CLICKS, [f"board-point-{point}" for point in points])
    while not held:
        visitor.page.wait_for_timeout(5)
    held[0].continue_()


def test_clicks_after_a_refused_one_or_after_the_turn_are_dropped(visitor: Visitor) -> None:
    sitting, told = _second_turn(visitor), visitor.page.locator("#connection")
    _clicks_before_an_answer(visitor, "1,1", "4,4")
    expect(visitor.page.get_by_role("alert")).not_to_be_empty()
    expect(told).to_contain_text("4,4")
    assert sitting.look().mark == "1/"
    _clicks_before_an_answer(visitor, "3,3", "3,3", "4,4", "5,5")
    expect(told).to_contain_text("5,5")
    assert sitting.look().mark == "1/3,3 4,4"
    assert visitor.troubles.pop().startswith("status 422")


def test_a_slow_answer_is_said_to_be_on_its_way(visitor: Visitor) -> None:
    sitting = _second_turn(visitor)
    held: list[Route] = []
    visitor.page.route("**/act", lambda route: held.append(route))  # noqa: PLW0108 (Playwright looks into it)
    visitor.page.evaluate(CLICKS, ["board-point-3,3"])
    expect(visitor.page.locator("#connection")).to_have_text("Sending…")
    expect(visitor.page.locator("[id='board-point-3,3']")).to_have_class("target is-sent")
    held.pop().continue_()
    expect(visitor.page.locator("#connection")).to_be_hidden()
    assert sitting.look().mark == "1/3,3"


def test_what_arrived_counts_once_though_its_answer_is_lost(visitor: Visitor) -> None:
    sitting = _second_turn(visitor)
    visitor.page.locator("#look-confirms").evaluate("(box) => box.click()")
    until(visitor.page, "() => !document.getElementById('look-confirms').checked")
    lost: list[int] = []

    def lose_the_first(route: "Route") -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort("connectionreset")

    visitor.page.route("**/act", lose_the_first)
    visitor.page.evaluate(CLICKS, ["board-point-3,3"])
    until(visitor.page, "() => table.dataset.entries === '2' && connection.hidden")
    assert lost == [200] and _entries(sitting) == 2
    assert not visitor.page.get_by_role("alert").count()
    assert "CONNECTION_RESET" in visitor.troubles.pop()


def test_what_is_clicked_offline_is_sent_when_the_connection_is_back(visitor: Visitor) -> None:
    sitting = _second_turn(visitor)
    visitor.context.set_offline(True)
    told = visitor.page.locator("#connection")
    expect(told).to_contain_text("Connection lost")
    visitor.page.evaluate(CLICKS, ["board-point-3,3"])
    expect(told).to_contain_text("You’re offline")
    visitor.context.set_offline(False)
    expect(told).to_be_hidden()
    assert sitting.look().mark == "1/3,3"
    assert all("INTERNET_DISCONNECTED" in trouble for trouble in visitor.troubles), visitor.troubles
    visitor.troubles.clear()


def test_an_opponent_without_a_network_is_away(visit: Invite) -> None:
    host, friend = visit(), visit()
    begin(host, "rin", 4, "friend", side="0")
    friend.page.goto(host.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Join game").click()
    friend.await_page("/table/")
    there = host.page.locator("[data-presence]")
    expect(there).to_have_text("online")
    friend.context.set_offline(True)
    expect(there).to_have_text("offline")
    expect(friend.page.locator("[data-presence]")).to_have_text("")
    friend.context.set_offline(False)
    expect(there).to_have_text("online")
    expect(friend.page.locator("[data-presence]")).to_have_text("online")
    friend.troubles = [trouble for trouble in friend.troubles if "DISCONNECTED" not in trouble]


OPTIONAL = ("clocks", "coach", "effects")


def test_without_the_scripts_that_it_can_do_without_a_page_plays(visitor: Visitor) -> None:
    for name in OPTIONAL:
        visitor.page.route(f"**/{name}.js", lambda route: route.abort("blockedbyclient"))
    sitting = _second_turn(visitor)
    expect(visitor.page.locator("#connection")).to_contain_text("You can keep playing without it.")
    assert sitting.look().mark == "1/"
    sitting.click("board-point-3,3")
    sitting.click("untouch")
    assert not visitor.page.locator(".without-scripts").count()
    assert all("BLOCKED_BY_CLIENT" in trouble or "module" in trouble for trouble in visitor.troubles)
    assert len(visitor.troubles) >= len(OPTIONAL)
    visitor.troubles.clear()


@pytest.mark.parametrize("missing", ["tables/table", "tables/sending", "all"])
def test_without_a_script_that_it_needs_a_page_says_so_and_has_a_form(visit: Invite, missing: str) -> None:
    visitor = visit(java_script_enabled=missing != "all")
    visitor.page.route(f"**/{missing}.js", lambda route: route.abort("blockedbyclient"))
    begin(visitor, "rin", 8, "beside")
    told = visitor.page.get_by_role("alert")
    expect(told).to_contain_text("JavaScript isn’t running on this page")
    written = visitor.page.get_by_label("Your move")
    written.fill("9,9")
    written.press("Enter")
    expect(visitor.page.locator(".answer [role=alert]")).to_contain_text("9,9")
    written.fill("1,1")
    visitor.page.locator(".without-scripts button").click()
    expect(visitor.page.locator("#moves a")).to_have_text("1,1")
    written.fill("3,3")
    written.press("Enter")
    visitor.page.locator("#untouch").click()
    expect(visitor.page.locator("#untouch")).to_have_count(0)
    told.get_by_role("link").click()
    expect(written).to_be_visible()
    assert all(re.search("BLOCKED_BY_CLIENT|422|: csp", trouble) for trouble in visitor.troubles)
    visitor.troubles.clear()
