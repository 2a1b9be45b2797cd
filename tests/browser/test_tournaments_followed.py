"""Tournament pages that update automatically: groups with a final, and a ladder.

With `KAKOMI_PICTURES=FOLDER`, it takes screenshots.
"""

import re

import pytest

from browser.accounts import sign_up
from browser.axe import faults
from browser.camera import photograph
from browser.conftest import Invite
from browser.visitor import Visitor, expect
from long.browser.test_tournaments_played import Field, _begin, _people, _start, _take_part
from server.clocked_site import ClockedSite


@pytest.fixture
def site(clocked_site: ClockedSite) -> ClockedSite:
    return clocked_site


def _looked_at(visitor: Visitor, name: str) -> None:
    """Take a screenshot of a page, and check it with axe."""
    photograph(visitor, name)
    assert faults(visitor.page, colours=True) == []


def test_groups_and_their_final_are_shown(site: ClockedSite, visit: Invite) -> None:
    director = visit(reduced_motion="reduce")
    sign_up(director, "dora")
    wanted = {"name": "Groups", "format": "groups", "groups": "2", "promoted": "2", "size": "4"}
    code = _start(director, "rive", "groups-1", **wanted)
    field = Field(site, code, _people(site, 7))
    _begin(director, code, "groups-2")
    for number in (1, 2, 3, 4):
        field.play(field.await_round(number))
    director.page.goto(f"/tournaments/{code}")
    expect(director.page.locator("table.crosstable")).to_have_count(3)
    _looked_at(director, "groups-3-final")


def test_the_directors_panel_follows_and_a_bracket_fits_on_a_phone(site: ClockedSite, visit: Invite) -> None:
    director = visit(reduced_motion="reduce")
    sign_up(director, "dora")
    code = _start(director, "rive", "cup-1", name="Cup", format="knock-out", size="4")
    Field(site, code, _people(site, 5))
    page = director.page
    page.goto(f"/tournaments/{code}")
    page.fill("#reason", "rain")
    page.locator("h1").click()
    other = director.open_tab()
    other.goto(f"/tournaments/{code}")
    other.get_by_role("button", name="Start now").click()
    expect(page.get_by_role("button", name="Start now")).to_have_count(0)
    expect(page.locator(".bracket > ol > li > strong")).to_have_text(
        ["Quarter-final", "Semi-final", "Final", "Winner"]
    )
    expect(page.locator("#reason")).to_have_value("rain")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("document.querySelector('.bracket').scrollWidth") > 320
    _looked_at(director, "cup-2")


def test_a_rung_is_challenged(site: ClockedSite, visit: Invite) -> None:
    director = visit(reduced_motion="reduce")
    sign_up(director, "dora")
    code = _start(director, "rive", "ladder-1", name="The Ladder", format="ladder", reach="3", size="4")
    field = Field(site, code, _people(site, 4))
    _begin(director, code, "ladder-2")
    director.page.goto(f"/tournaments/{code}")
    expect(director.page.locator(".badge").first).to_have_text("in progress")
    _take_part(director, code)
    names = list(field.people.values())
    for person in names:
        if reach := person.ask(f"tournaments/{code}")["challengeable"]:
            person.ask(f"tournaments/{code}/challenge/{reach[0]}", {})
    director.page.goto(f"/tournaments/{code}")
    field.play([pairing["table"] for part in field.look()["rounds"] for pairing in part["pairings"]])
    buttons = director.page.locator("table.crosstable button")
    if buttons.count():
        _looked_at(director, "ladder-3-challenges")
        buttons.first.click()
        expect(director.page.get_by_role("button", name="Decline and lose")).to_be_visible()
    _looked_at(director, "ladder-4-game")


def test_a_round_is_announced_on_every_open_page(site: ClockedSite, visit: Invite) -> None:
    director, ada = visit(reduced_motion="reduce"), visit(reduced_motion="reduce", timezone_id="Asia/Tokyo")
    sign_up(director, "dora")
    sign_up(ada, "ada")
    wanted = {"name": "Friday Night", "format": "swiss", "rounds": "2", "size": "4", "pace": "live"}
    code = _start(director, "rive", "live-1", **wanted)
    field = Field(site, code, _people(site, 3))
    reading = ada.open_tab()
    reading.goto("/about")  # before she takes part
    _take_part(ada, code)
    expect(ada.page.locator("main .countdown")).to_have_text(re.compile(r"\d:\d\d"))
    _looked_at(ada, "live-2-entered")
    ada.page.locator("#leaving summary").click()
    photograph(ada, "live-3-leaving")
    tabs = [ada.page, reading, ada.open_tab()]
    tabs[2].goto("/rules/rive")
    _begin(director, code, "live-4")
    for tab in tabs:
        expect(tab.locator("#come")).to_contain_text("Your game in Friday Night has started: round 1.")
        assert tab.title().startswith("● Your game in Friday Night")
    photograph(ada, "live-5-called")
    ada.page = tabs[2]
    photograph(ada, "live-6-called-elsewhere")
    ada.page.locator("#come a").click()
    ada.await_page("/table/")
    expect(reading.locator("#come")).to_be_hidden()
    expect(ada.page.locator("header .eyebrow")).to_have_text("Friday Night · Round 1")
    expect(ada.page.locator(".until .countdown")).to_have_text(re.compile(r"[12]:\d\d"))
    assert ada.page.locator("#aborting").count() == 0
    _looked_at(ada, "live-7-table")
    (own,) = [table for table in field.await_round(1) if table in ada.page.url]
    ada.page.locator("#resigning summary").click()
    ada.page.locator("#resign").click()
    expect(ada.page.locator("#way-on")).to_have_text("Round 2 starts after one more game")
    _looked_at(ada, "live-8-waits")
    field.play([table for table in field.await_round(1) if table != own])
    expect(ada.page.locator("#way-on")).to_have_text("Your next game has started")
    expect(ada.page.locator("#come")).to_contain_text("round 2")
    photograph(ada, "live-9-next")
    second = field.await_round(2)
    site.skip(400)  # nobody acts in time, so the first players lose
    expect(ada.page.locator("#way-on")).to_have_text("Final standings")
    ada.page.locator("#way-on").click()
    expect(ada.page.locator(".badge").first).to_have_text("over")
    photograph(ada, "live-10-over")
    for number, table in enumerate(second):
        ada.page.goto(f"/table/{table}")
        photograph(ada, f"live-11-lost-{number}")
    ada.page.goto("/notices/")
    photograph(ada, "live-12-notices")
    ada.page.goto("/")
    photograph(ada, "live-13-home")
