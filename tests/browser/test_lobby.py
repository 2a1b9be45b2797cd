"""Strangers find each other in the lobby, each in a browser.

Other tests leave seeks behind on the same site, so these tests identify theirs by the owners' names.
"""

from browser.axe import faults
from browser.conftest import Invite
from browser.visitor import Visitor, expect


def _named(visit: Invite, name: str, **device: object) -> Visitor:
    """A named visitor in the lobby, with reduced motion so that colours change immediately."""
    visitor = visit(reduced_motion="reduce", **device)
    visitor.page.goto("/me")
    visitor.page.fill("#name", name)
    visitor.page.get_by_role("button", name="Save").click()
    visitor.page.goto("/lobby/")
    return visitor


def test_two_find_each_other(visit: Invite) -> None:
    ada, bob = _named(visit, "Adele"), _named(visit, "Bob", viewport={"width": 390, "height": 844})
    expect(bob.page.locator("#seeks .seek", has_text="Adele")).to_have_count(0)
    ada.page.locator(".quick-games button", has_text="Ren").click()
    expect(ada.page.locator("#lobby-mine")).to_contain_text("Waiting for an opponent")
    seek = bob.page.locator("#seeks .seek", has_text="Adele")
    expect(seek).to_contain_text("10 min + 5 s")
    assert faults(bob.page, colours=True) == []
    assert faults(ada.page, colours=True) == []
    assert not bob.scrolls_sideways()
    seek.get_by_role("button", name="Play").click()
    bob.await_page("/table/")
    ada.await_page("/table/")
    assert ada.page.url == bob.page.url


def test_a_seek_that_is_withdrawn_goes_from_all_pages(visit: Invite) -> None:
    ada, bob = _named(visit, "Agnes"), _named(visit, "Bob")
    ada.page.goto("/lobby/new/lin")
    assert faults(ada.page, colours=True) == []
    ada.page.get_by_role("button", name="Create challenge").click()
    seek = bob.page.locator("#seeks .seek", has_text="Agnes")
    expect(seek).to_have_count(1)
    ada.page.locator("#lobby-mine").get_by_role("button", name="Cancel").click()
    expect(seek).to_have_count(0)


def test_three_gather_and_one_plays_a_bot_meanwhile(visit: Invite) -> None:
    ada, bob, eve = (_named(visit, name) for name in ("Anouk", "Bob", "Eve"))
    ada.page.goto("/lobby/new/rings")
    ada.page.locator("[name=players][value='3']").check()
    expect(ada.page.locator("[name=least]")).to_have_count(2)
    ada.page.get_by_role("button", name="Create challenge").click()
    ada.page.get_by_role("link", name="Play a bot while you wait").click()
    ada.await_page("/play/rings")

    for visitor in (bob, eve):
        visitor.page.locator("#seeks .seek", has_text="Anouk").get_by_role("button", name="Join").click()
    eve.await_page("/table/")
    bob.await_page("/table/")
    expect(ada.page.locator("#come")).to_be_visible()
    ada.page.locator("#come a").click()
    ada.page.wait_for_url(bob.page.url)
    assert eve.page.url == bob.page.url
