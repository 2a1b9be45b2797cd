"""Messages and reports between browsers, and the pages round them as axe sees them."""

import os
import subprocess
import sys
from urllib.parse import urlsplit
from uuid import uuid4

from browser.account_walk import PASSWORD, post
from browser.axe import faults
from browser.conftest import Invite
from browser.opening import begin
from browser.visitor import expect
from server.sites import Site


def test_two_write_each_other_and_a_third_sees_nothing(visit: Invite) -> None:
    host = visit(reduced_motion="reduce")
    table = urlsplit(begin(host, "rin", 4, "friend", side="0")).path
    friend = visit()
    friend.page.goto(host.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Sit down").click()
    friend.await_page("/table/")
    watcher = visit()
    watcher.page.goto(table)
    expect(watcher.page.get_by_text("You are watching")).to_be_visible()

    for one in (host, friend):
        one.page.locator("#chat > summary").click()
    friend.page.locator("#chat-text").fill("I am still writing thi")
    host.page.locator("#chat-text").fill("Good luck!")
    host.page.locator("#chat-text").press("Enter")
    for one in (host, friend):
        expect(one.page.locator("#chat .chat li")).to_contain_text("Good luck!")
    expect(host.page.locator("#chat-text")).to_have_value("")
    expect(friend.page.locator("#chat-text")).to_have_value("I am still writing thi")
    expect(friend.page.locator("#chat-text")).to_be_focused()
    friend.page.locator("#chat-text").press_sequentially("s")
    friend.page.locator("#chat-send").click()
    expect(host.page.locator("#chat .chat li").last).to_contain_text("I am still writing this")
    assert watcher.page.locator("#chat").count() == 0

    assert faults(host.page, colours=True) == []
    for path in (
        f"{table}/messages",
        f"/report{table}/1",
        table.replace("/table/", "/notebook/game/"),
        "/me/standing",
        "/notebook/",
    ):
        host.page.goto(path)
        expect(host.page.locator("h1")).to_be_visible()
        assert faults(host.page, colours=True) == [], path


def test_a_report_goes_through_staff_and_their_pages_are_in_order(visit: Invite, site: Site) -> None:
    ann, staff = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    begun = urlsplit(begin(ann, "rin", 4, "friend", side="0")).path
    friend = visit(reduced_motion="reduce")
    friend.page.goto(ann.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Sit down").click()
    friend.await_page("/table/")
    ann.page.goto(f"/report{begun}/1")
    ann.page.get_by_label("What should staff know?").fill("Plays to spoil the game")
    ann.page.get_by_role("button", name="Report", exact=True).click()
    expect(ann.page.get_by_role("status").filter(has_text="Your report is with staff")).to_be_visible()

    name = f"mod-{uuid4().hex[:6]}"
    environment = {**os.environ, "KAKOMI_DATABASE_URL": "", "KAKOMI_DATA_DIR": str(site.folder)}
    command = [sys.executable, "-m", "kakomi", "staff", "add", name, "--password", PASSWORD]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)
    post(staff, "/account/sign-in", login=name, password=PASSWORD)
    page = staff.page
    page.goto("/moderation/")
    assert faults(page, colours=True) == []
    page.get_by_role("link", name="Case").first.click()
    assert faults(page, colours=True) == []
    form = page.locator("form", has=page.get_by_role("button", name="Close the case"))
    form.get_by_label("Reason").fill("seen in the game")
    form.get_by_role("button", name="Suspend").click()
    expect(page.get_by_text("in force")).to_be_visible()
    assert faults(page, colours=True) == []
    page.goto("/moderation/log")
    expect(page.get_by_role("cell", name="seen in the game")).to_be_visible()
    assert faults(page, colours=True) == []
    friend.page.goto("/me/standing")
    expect(friend.page.get_by_text("It ends by itself")).to_be_visible()
    assert faults(friend.page, colours=True) == []
