"""Messages at a table between two browsers, and the pages round them as axe sees them."""

from urllib.parse import urlsplit

from browser.axe import faults
from browser.conftest import Invite
from browser.opening import begin
from browser.visitor import expect


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
