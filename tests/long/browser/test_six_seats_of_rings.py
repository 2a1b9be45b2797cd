"""Six people, each in their own browser, play Rings over days, and one of them never returns."""

import pytest

from browser.accounts import press, sign_up, sign_up_with_address
from browser.camera import photograph
from browser.conftest import Invite
from browser.gathering import DAY, HOUR, Company, seek
from browser.visitor import Visitor, expect
from server.clocked_site import ClockedSite
from server.mail_sink import Sink, plain

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")


@pytest.fixture
def site(clocked_site: ClockedSite) -> ClockedSite:
    return clocked_site


def test_six_play_and_one_leaves(site: ClockedSite, sink: Sink, visit: Invite) -> None:
    people = {name: visit(reduced_motion="reduce") for name in NAMES}
    *others, leaver = NAMES
    sign_up_with_address(people[leaver], leaver, sink)
    for name in others:
        sign_up(people[name], name)
    company = _gather(people)
    for _ in range(8):
        company.act()
    company.act_until(leaver)
    _leave(site, company, leaver)
    stayed = people[others[0]]
    _see_that_the_seat_passes(company, leaver, stayed)
    company.play_out()
    expect(stayed.page.locator("#ending")).to_be_visible()
    expect(stayed.page.locator(".rating", has_text="→")).to_have_count(6)
    photograph(stayed, "rings-07-over")
    _see_who_is_last(stayed, leaver)
    site.skip(2 * HOUR)
    _see_what_was_mailed(sink)


def _gather(people: dict[str, Visitor]) -> Company:
    """Ada seeks five others, who join one by one."""
    ada, *others = people.values()
    seek(ada, "rings", 3, "3d", players=6)
    for count, visitor in enumerate(others, 2):
        page = visitor.page
        page.goto("/lobby/")
        found = page.locator("#seeks .seek", has_text="ada")
        expect(found).to_contain_text(f"{count - 1} of 6 players")
        expect(found).to_contain_text("if a player leaves, their seat passes")
        if count == 3:
            photograph(visitor, "rings-01-lobby")
        found.get_by_role("button", name="Join").click()
        if count < 6:
            expect(page.locator("#lobby-mine")).to_contain_text(f"{count} of 6 players")
    for visitor in people.values():
        visitor.await_page("/table/")
    assert len({visitor.page.url for visitor in people.values()}) == 1
    photograph(ada, "rings-02-table")
    return Company(people, seed=6)


def _leave(site: ClockedSite, company: Company, leaver: str) -> None:
    """Somebody switches automatic vacations off, and stays away when it is their turn."""
    gone = company.people[leaver]
    gone.page.goto("/me/time-off")
    gone.page.locator("[name=is_automatic]").uncheck()
    press(gone.page, "Save")
    gone.page.goto("/")
    del company.sittings[leaver]
    site.skip(2 * HOUR)
    site.let_work()
    site.skip(2.5 * DAY)
    site.let_work()
    gone.page.goto("/notices/")
    expect(gone.page.locator(".notice", has_text="Time is running out")).to_have_count(1)
    photograph(gone, "rings-03-warned")
    site.skip(DAY)


def _see_that_the_seat_passes(company: Company, leaver: str, stayed: Visitor) -> None:
    place = stayed.page.locator(".player.has-left")
    expect(place).to_have_count(1)
    expect(place).to_contain_text(leaver)
    expect(place).to_contain_text("resigned")
    company.act()
    photograph(stayed, "rings-04-left")
    gone = company.people[leaver]
    gone.page.goto("/")
    photograph(gone, "rings-05-home")
    gone.page.goto("/notices/")
    expect(gone.page.locator(".notice", has_text="You ran out of time")).to_have_count(1)
    photograph(gone, "rings-06-notices")


def _see_who_is_last(visitor: Visitor, leaver: str) -> None:
    page = visitor.page
    page.goto(f"/ratings/rings/small/days/@{leaver}")
    photograph(visitor, "rings-08-history")
    assert page.locator("tbody tr:has(td)").count() == 6
    *_, before, expected, place, after, change = page.locator("tr.own > td").all_inner_texts()
    assert (before, expected, place) == ("1500 ± 784 ?", "3.5", "6")
    assert int(change) == int(after.split()[0]) - 1500 < 0
    expect(page.locator("tbody")).to_contain_text("ran out of time")


def _see_what_was_mailed(sink: Sink) -> None:
    """Check the mails to the absent person: each event is mentioned once, and no turn that has passed."""
    _, turn, warning, news = map(plain, sink.await_mails(4))
    assert turn.startswith("Your turn: Rings, against ")
    assert "Time is running out: Rings" in warning and "Your turn" not in warning
    assert news.count("You ran out of time in Rings") == news.count("is over: you lost.") == 1
    assert "Your turn" not in news
