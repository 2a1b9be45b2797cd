"""All pages of tournaments, calendars and moderation, in every state that looks different."""

import os
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit
from uuid import uuid4

from browser.account_walk import PASSWORD, join, post
from browser.visitor import Visitor, expect
from server.sites import Site

Shown = tuple[str, Visitor]
"""The name of a page, and its visitor."""
TRIES = 30


def sign_in_as_staff(visitor: Visitor, site: Site) -> None:
    """Sign in as a new staff member with all permissions in a visitor's browser."""
    name = f"mod-{uuid4().hex[:6]}"
    environment = {**os.environ, "KAKOMI_DATABASE_URL": "", "KAKOMI_DATA_DIR": str(site.folder)}
    command = [sys.executable, "-m", "kakomi", "staff", "add", name, "--password", PASSWORD]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    post(visitor, "/account/sign-in", login=name, password=PASSWORD)


def pages_of_tournaments(ada: Visitor, bob: Visitor) -> Iterator[Shown]:
    """Go through a tournament that Ada organises and Bob leaves, and through the calendar."""
    join(ada, "Ada")
    join(bob, "Bob")
    yield _at(ada, "/tournaments/new/rin?pace=live")
    yield _at(ada, "/tournaments/new/rin")
    page = ada.page
    page.fill("[name=name]", "Autumn Cup")
    page.select_option("[name=repeat]", "weekly")
    page.locator("main form button.primary").click()
    page.locator("#directing").wait_for()
    path = urlsplit(page.url).path
    yield "a tournament that is open, and directed", ada
    post(ada, f"{path}/enter")
    post(bob, f"{path}/enter")
    yield _at(ada, "/me/calendar")
    page.locator("#renew button").click()
    expect(page.locator("#own-address")).to_be_visible()
    yield "a calendar with an address of one's own", ada
    post(ada, f"{path}/begin")
    _await(ada, path, "#round-1")
    yield "a tournament that is played", ada
    yield _at(ada, "/tournaments/")
    post(bob, f"{path}/leave")
    _await(ada, path, "main:not(:has(#directing)) .correct summary")  # it is over and doesn't change any more
    page.locator(".correct summary").first.click()
    for place in page.locator(".correct").first.locator("select").all():
        place.select_option(label="1")
    page.locator(".correct [name=reason]").first.fill("they had agreed")
    yield "a result that is to be corrected", ada
    page.locator(".correct button").first.click()
    expect(page.locator("#decisions")).to_be_visible()
    yield "a tournament with a decision", ada
    yield _at(bob, "/notices/")
    yield _at(bob, f"{path}/report")
    bob.page.locator("main form button.primary").click()
    expect(bob.page.locator("main [role=status]")).to_be_visible()
    yield "a report that is made", bob


def pages_of_staff(staff: Visitor, site: Site) -> Iterator[Shown]:
    """Go through the staff's pages for a tournament of the previous walk, and for a case."""
    sign_in_as_staff(staff, site)
    page = staff.page
    yield _at(staff, "/moderation/")
    page.locator("main a[href^='/moderation/case/']").first.click()
    staff.await_page("/moderation/case/")
    yield "a case with a report", staff
    tournament = page.locator("main a[href^='/tournaments/']").first.get_attribute("href") or ""
    yield _at(staff, f"{tournament}/rename")
    page.fill("[name=name]", "Spring Cup")
    page.fill("[name=reason]", "insults somebody")
    page.locator("main form button.primary").click()
    expect(page.locator("h1")).to_have_text("Spring Cup")
    yield "a tournament, as staff see it", staff
    for address in ("/tournaments/", "/moderation/log", "/me/standing"):
        yield _at(staff, address)


def _at(visitor: Visitor, address: str) -> Shown:
    visitor.page.goto(address)
    return address, visitor


def _await(visitor: Visitor, path: str, what: str) -> None:
    """Reload a page until an element appears, which takes the site seconds."""
    for _ in range(TRIES):
        visitor.page.goto(path)
        if visitor.page.locator(what).count():
            return
        visitor.page.wait_for_timeout(1000)
    raise AssertionError(f"{path} never had {what}")
