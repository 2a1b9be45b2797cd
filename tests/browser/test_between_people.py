"""Messages and reports between browsers; their pages pass axe."""

from urllib.parse import urlsplit

from browser.account_walk import join, resign
from browser.axe import faults
from browser.conftest import Invite
from browser.opening import begin
from browser.tournament_walk import sign_in_as_staff
from browser.visitor import Visitor, expect
from server.sites import Site


def test_two_write_each_other_and_a_third_sees_nothing(visit: Invite) -> None:
    host, friend = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    table = _sit_down(host, friend)
    watcher = visit()
    watcher.page.goto(table)
    expect(watcher.page.get_by_text("Spectating")).to_be_visible()

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
        f"{table}/note",
        "/me/standing",
    ):
        host.page.goto(path)
        expect(host.page.locator("h1")).to_be_visible()
        assert faults(host.page, colours=True) == [], path


def test_those_who_watch_write_to_each_other_and_players_read_it_at_the_end(visit: Invite) -> None:
    host, friend = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    table = _sit_down(host, friend)
    watchers = [visit(reduced_motion="reduce") for _ in range(2)]
    for watcher in watchers:
        join(watcher, "watcher")
        watcher.page.goto(table)
        watcher.open_menu("room")
        expect(watcher.page.locator("#room")).to_contain_text("No messages yet")
    one, other = (watcher.page for watcher in watchers)
    one.locator("#room-text").fill("White is lost")
    one.locator("#room-text").press("Enter")
    for page in (one, other):
        expect(page.locator("#room .chat li")).to_contain_text("White is lost")
    expect(one.locator("#room-text")).to_have_value("")
    assert faults(one, colours=True) == []
    assert host.page.locator("#room").count() == 0
    resign(host, table)
    host.open_menu("room")
    expect(host.page.locator("#room .chat li")).to_contain_text("White is lost")
    stranger = visit(reduced_motion="reduce")
    stranger.page.goto(f"{table}/room")
    expect(stranger.page.get_by_text("Sign in to read and write here")).to_be_visible()
    assert faults(stranger.page, colours=True) == []
    one.goto(f"{table}/room")
    expect(one.get_by_text("White is lost")).to_be_visible()
    assert faults(one, colours=True) == []


def test_a_report_goes_through_staff_and_their_pages_are_in_order(visit: Invite, site: Site) -> None:
    ann, staff = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    friend = visit(reduced_motion="reduce")
    begun = _sit_down(ann, friend)
    ann.page.goto(f"/report{begun}/1")
    ann.page.get_by_label("Details").fill("Plays to spoil the game")
    ann.page.get_by_role("button", name="Report", exact=True).click()
    expect(
        ann.page.get_by_role("status").filter(has_text="when a moderator has looked at it")
    ).to_be_visible()

    sign_in_as_staff(staff, site)
    page = staff.page
    page.goto("/moderation/")
    assert faults(page, colours=True) == []
    cases = page.locator("main a[href^='/moderation/case/']")
    addresses = cases.evaluate_all("links => links.map(({ href }) => href)")
    page.goto(max(addresses, key=lambda href: int(href.rpartition("/")[2])))  # other tests make reports too
    expect(page.get_by_role("button", name="Close case")).to_be_visible()
    assert faults(page, colours=True) == []
    form = page.locator("form", has=page.get_by_role("button", name="Close case"))
    form.get_by_label("Reason").fill("seen in the game")
    form.get_by_role("button", name="Suspend").click()
    expect(page.get_by_text("active", exact=True)).to_be_visible()
    assert faults(page, colours=True) == []
    page.goto("/moderation/log")
    expect(page.get_by_role("cell", name="seen in the game")).to_be_visible()
    assert faults(page, colours=True) == []
    friend.page.goto("/me/standing")
    expect(friend.page.get_by_text("Ends automatically")).to_be_visible()
    assert faults(friend.page, colours=True) == []


def _sit_down(host: Visitor, friend: Visitor) -> str:
    """Start a game between the two by invitation, and return the path of its table."""
    table = urlsplit(begin(host, "rin", 4, "friend", side="0")).path
    friend.page.goto(host.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Join game").click()
    friend.await_page("/table/")
    return table
