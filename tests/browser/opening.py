"""Start a game: as a visitor does, from the home page, or directly, for tests of what follows."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from browser.visitor import Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL = {"lin": 5, "ren": 4, "rin": 4, "rings": 2, "rive": 2}
"""Sizes for short games."""


def begin(visitor: Visitor, game: str, size: int, opponent: str = "1", **terms: str) -> str:
    """Start a game directly, and return the table's address. `begin_by_clicks` does the same by clicks.

    Drawing three pages fewer saves most of the time of many tests.
    """
    asked, path = visitor.context.request, f"/play/{game}"
    asked.get(path)
    tokens = [cookie["value"] for cookie in visitor.context.cookies() if cookie["name"] == "csrftoken"]
    wishes = {"size": str(size), "opponent": opponent, "side": "random", "negotiate": "on", **terms}
    form: dict[str, str | float | bool] = {name: value for name, value in wishes.items() if value != "off"}
    answer = asked.post(path, form=form, headers={"X-CSRFToken": tokens[0]}, max_redirects=0)
    assert answer.status == 302, answer.text()
    visitor.page.goto(answer.headers["location"])
    return visitor.page.url


def begin_by_clicks(visitor: Visitor, game: str, size: int, opponent: str = "1", **terms: str) -> str:
    """Start a game by clicks, and return the table's address. The opponent is a level, `beside` or `friend`.

    `terms` checks the radio button with a value, or sets a switch if the value is "on" or "off".
    """
    page = visitor.page
    page.goto("/")
    page.locator(f".game-play a[href='/play/{game}']").click()
    visitor.await_page("/play/")
    if opponent.isdigit():
        page.locator("#level").select_option(opponent)
    else:
        page.locator(f"[name=opponent][value={opponent}]").check()
    choose_size(page, size)
    for name, value in terms.items():
        if value in ("on", "off"):
            page.locator(f"[name={name}]").set_checked(value == "on")
        else:
            page.locator(f"[name={name}][value='{value}']").check()
    page.locator("#opening button.primary").click()
    visitor.await_page("/table/")
    return page.url


def begin_by_keys(visitor: Visitor, game: str, size: int) -> None:
    """Start a game against an easy bot, using only the keyboard."""
    page = visitor.page
    page.goto("/")
    visitor.tab_to(f"main h3 a[href='/play/{game}']")
    page.keyboard.press("Enter")
    visitor.await_page("/play/")
    visitor.tab_to("#level")
    page.keyboard.press("Home")
    visitor.tab_to("[name=size]:checked")
    wanted = page.locator(f"[name=size][value='{size}'], [name=size][value=other]").first
    while not wanted.is_checked():
        with choices_anew(page):
            page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.matches('[name=size]:checked')")
    if wanted.get_attribute("value") == "other":
        visitor.tab_to("#size-other")
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(str(size))
    visitor.tab_to("#opening button.primary")
    page.keyboard.press("Enter")
    visitor.await_page("/table/")


@contextlib.contextmanager
def choices_anew(page: "Page") -> Iterator[None]:
    """Run the block, then wait until the form has updated its choices."""
    page.evaluate("window['opening-choices'].isOld = true")
    yield
    until(page, "() => !window['opening-choices'].isOld && !document.querySelector('.htmx-settling')")


def choose_size(page: "Page", size: int) -> None:
    """Choose a size that the form offers, or type another."""
    offered = page.locator(f"[name=size][value='{size}']")
    if not offered.count():
        offered = page.locator("[name=size][value=other]")
    if not offered.is_checked():
        with choices_anew(page):
            offered.check()
    if offered.get_attribute("value") == "other":
        page.locator("#size-other").fill(str(size))
