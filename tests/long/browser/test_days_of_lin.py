"""Two strangers play Lin over days, from signing up to their ratings."""

import re
from datetime import UTC, datetime

import pytest

from browser.accounts import Device, press, sign_out, sign_up, sign_up_with_address
from browser.camera import photograph
from browser.conftest import Invite
from browser.gathering import DAY, HOUR, MINUTE, Company, seek
from browser.visitor import Visitor, expect, until
from server.clocked_site import ClockedSite
from server.mail_sink import Sink, plain

AWAY_DAYS = 20
_HAS_PLANNED = """(at) => document.getElementById("plan").dataset.at !== at
  && !document.querySelector("[aria-busy]")"""
_OVERFLOWS = "all => all.some((one) => one.scrollHeight > one.clientHeight + 1)"


@pytest.fixture
def site(clocked_site: ClockedSite) -> ClockedSite:
    return clocked_site


def test_two_meet_and_play_over_days(site: ClockedSite, sink: Sink, visit: Invite) -> None:
    ada, bob = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    sign_up_with_address(ada, "ada", sink)
    photograph(ada, "lin-01-confirmed")
    _come_back_by_passkey(bob)
    company = _meet(ada, bob)
    _negotiate(company)
    for _ in range(4):
        company.act()
    company.act_until("bob")
    _answer_twice_by_plan(company)

    assert company.act() == "bob"
    _mail_comes_after_an_hour(site, sink, ada)
    _rest_while_it_is_ones_turn(site, company)
    company.play_out()
    _see_how_it_ended(company)
    site.skip(2 * HOUR)
    site.let_work()
    subjects = [mail["Subject"] for mail in sink.mails]
    assert len(set(subjects)) == len(subjects) <= 3
    for name, visitor in company.people.items():
        _see_one_s_rating(visitor, name)


def _come_back_by_passkey(bob: Visitor) -> None:
    page, _ = bob.page, Device(bob)
    sign_up(bob, "bob")
    page.get_by_role("link", name="Add a passkey").click()
    page.fill("[name=name]", "This device")
    press(page, "Create passkey")
    expect(page.locator(".recovery-codes code")).to_have_count(10)
    sign_out(bob)
    page.goto("/account/sign-in")
    press(page, "Sign in with a passkey")
    expect(page.get_by_role("link", name="bob")).to_be_visible()


def _meet(ada: Visitor, bob: Visitor) -> Company:
    bob.page.goto("/lobby/")
    expect(bob.page.locator(".nobody")).to_be_visible()
    seek(ada, "lin", 7, "bank 5d+36h/10d", "negotiate")
    photograph(ada, "lin-02-waiting")
    found = bob.page.locator("#seeks .seek", has_text="ada")
    expect(found).to_contain_text("negotiated komi")
    expect(found).to_contain_text("rated")
    photograph(bob, "lin-03-lobby")
    found.get_by_role("button", name="Play").click()
    for visitor in (ada, bob):
        visitor.await_page("/table/")
    assert ada.page.url == bob.page.url
    return Company({"ada": ada, "bob": bob}, seed=16)


def _negotiate(company: Company) -> None:
    first = company.to_act()
    photograph(company.people[first], "lin-04-komi")
    company.people[first].page.fill("#komi", "4")
    company.sittings[first].click("name-komi")
    second = company.to_act()
    assert second != first
    expect(company.people[second].page.locator("#colour-1")).to_be_visible()
    photograph(company.people[second], "lin-05-colour")
    company.sittings[second].click("colour-0")
    for visitor in company.people.values():
        expect(visitor.page.locator(".table-head")).to_contain_text("komi 4")


def _answer_twice_by_plan(company: Company) -> None:
    """Ada plans replies to Bob's next two turns, and he plays both."""
    ada, bob = company.people["ada"], company.people["bob"]
    ada.plan_ahead()
    expect(ada.page.locator("#banner")).to_be_visible()
    points = [_plan(company, ada) for _ in range(4)]
    ada.page.locator("#arm").click()
    expect(ada.page.locator(".plan-state.is-armed")).to_be_visible()
    photograph(ada, "lin-06-plan")
    ada.page.locator("#back").click()
    expect(ada.page.locator("#armed-plan")).to_be_visible()
    photograph(ada, "lin-07-armed")
    before = bob.page.locator("#moves a").count()
    for number, point in enumerate(points[::2], 1):
        company.sittings["bob"].click(point)
        for visitor in (ada, bob):
            expect(visitor.page.locator("#moves a")).to_have_count(before + 2 * number)
    texts = [point.rpartition("-")[2] for point in points]
    assert bob.page.locator("#moves a").all_inner_texts()[before:] == texts
    for answered in (texts[2:], texts[:2]):
        expect(ada.page.locator(".plan-panel")).to_contain_text("answered {} with {}".format(*answered))
    assert not ada.page.locator(".plan-panel > *").evaluate_all(_OVERFLOWS), "lines of the plan overlap"
    photograph(ada, "lin-08-answered")


def _plan(company: Company, ada: Visitor) -> str:
    """Continue the plan with a random point, and return its id."""
    targets = ada.page.locator("#board .target[data-action]")
    point = company.choice(targets.evaluate_all("all => all.map((one) => one.id)"))
    before = ada.page.locator("#plan").get_attribute("data-at")
    ada.page.locator(f"[id='{point}']").click()
    until(ada.page, _HAS_PLANNED, before)
    return point


def _mail_comes_after_an_hour(site: ClockedSite, sink: Sink, ada: Visitor) -> None:
    """It is Ada's turn, but she is on another page. No mail mentions the turns that her plan took."""
    ada.page.goto("/")
    site.skip(HOUR - 5 * MINUTE)
    site.let_work()
    sink.await_mails(1)
    site.skip(10 * MINUTE)
    *_, mail = sink.await_mails(2)
    assert plain(mail).count("Your turn: Lin, against bob.") == 1
    photograph(ada, "lin-09-home")


def _rest_while_it_is_ones_turn(site: ClockedSite, company: Company) -> None:
    """Ada's clock would run out within ten days, but she is on vacation for longer."""
    ada, bob = company.people["ada"], company.people["bob"]
    ada.page.goto("/me/time-off")
    last = datetime.fromtimestamp(site.now() + AWAY_DAYS * DAY, UTC)
    ada.page.fill("#last", last.date().isoformat())
    press(ada.page, "Start vacation")
    expect(ada.page.get_by_role("button", name="End now")).to_be_visible()
    photograph(ada, "lin-10-vacation")
    resting = bob.page.locator(".resting")
    expect(resting).to_contain_text("on vacation until")
    ends = float(resting.locator("time").get_attribute("data-moment") or 0)
    assert AWAY_DAYS * DAY < ends - site.now() <= (AWAY_DAYS + 1) * DAY
    photograph(bob, "lin-11-rests-seen")
    for _ in range(4):
        site.skip((AWAY_DAYS - 2) * DAY / 4)
        site.let_work()
    bob.page.reload()
    expect(resting.locator("time")).to_have_attribute("data-moment", f"{ends:.0f}")
    expect(bob.page.locator("#ending")).to_have_count(0)
    ada.page.goto("/me/time-off")
    press(ada.page, "End now")
    expect(resting).to_have_count(0)
    ada.page.goto(bob.page.url)


def _see_how_it_ended(company: Company) -> None:
    winners = []
    for name, visitor in company.people.items():
        headline = visitor.page.locator("#ending")
        expect(headline).to_be_visible()
        winners += [name] * (headline.inner_text() == "You win.")
        expect(visitor.page.locator(".rating", has_text="→")).to_have_count(2)
        photograph(visitor, f"lin-12-over-{name}")
    assert len(winners) == 1


def _see_one_s_rating(visitor: Visitor, name: str) -> None:
    """Go from a person's page to the history of their rating."""
    page = visitor.page
    page.goto(f"/@{name}")
    photograph(visitor, f"lin-13-profile-{name}")
    expect(page.get_by_role("link", name="Lin: small boards, over days")).to_be_visible()
    page.goto("/ratings/")
    page.get_by_role("link", name="small boards, over days").click()
    page.get_by_role("link", name="2 provisional ratings").click()
    photograph(visitor, f"lin-14-ranking-{name}")
    row = page.get_by_role("row", name=name)
    expect(row).to_contain_text(re.compile(r"\d+ ± \d+ \?"))
    row.get_by_role("link", name="±").click()
    expect(page.locator(".badge", has_text="provisional")).to_be_visible()
    *_, before, expected, place, after, change = page.locator("tr.own > td").all_inner_texts()
    assert (before, expected) == ("1500 ± 784 ?", "1.5")
    assert int(change) == int(after.split()[0]) - 1500
    assert (int(change) > 0) == (place == "1")
    photograph(visitor, f"lin-15-history-{name}")
