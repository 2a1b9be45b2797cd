"""The deadline beside a player's name is fully visible in every window and both languages."""

import pytest

from browser.account_walk import act, challenge, join
from browser.camera import photograph
from browser.conftest import Invite
from browser.opening import begin
from browser.visitor import Visitor, expect
from sampling import sample

WINDOWS = ((1280, 800), (1366, 650), (844, 390), (640, 400), (400, 850), (390, 844), (360, 640), (320, 640))
LONGEST = {
    "en-GB": ("Wednesday 11:59 PM", "Wed, Sept 30, 11:59 PM"),
    "de-DE": ("Donnerstag um 23:59", "Mi., 30. Sept., 23:59"),
}
_CUT_OFF = """() => [...document.querySelectorAll(".until")].filter((shown) => {
  const range = document.createRange();
  range.selectNodeContents(shown);
  const text = range.getBoundingClientRect();
  for (let around = shown; around && !around.matches(".players"); around = around.parentElement) {
    const edge = around.getBoundingClientRect();
    const clips = getComputedStyle(around).overflowX !== "visible";
    if (clips && (text.right > edge.right + 0.5 || text.bottom > edge.bottom + 0.5)) return true;
  }
  return text.width === 0;
}).length"""
_CLIPPED = """() => [...document.querySelectorAll(".players .presence.is-here")]
  .map((shown) => shown.parentElement)
  .filter((line) => line.scrollWidth > line.clientWidth)
  .map((line) => line.innerText)"""


@pytest.mark.parametrize("language", sample(LONGEST, 1, "deadlines"))
def test_a_deadline_is_not_cut_off(visit: Invite, language: str) -> None:
    check_deadlines(visit, language)


def check_deadlines(visit: Invite, language: str) -> None:
    ada, bob = (visit(locale=language, reduced_motion="reduce") for _ in range(2))
    join(ada, "Ada")
    challenge(ada, bob, join(bob, "Bob-who-has-a-name"))
    act(ada, "0,0")
    for visitor in (ada, bob):
        visitor.page.goto(ada.page.url)
        expect(visitor.page.locator(".until time")).to_have_count(1)
        _look(visitor, language)
    photograph(ada, f"deadline-{language}")


def _look(visitor: Visitor, language: str) -> None:
    page = visitor.page
    for moment in (page.locator(".until time").inner_text(), *LONGEST[language]):
        page.locator(".until time").evaluate("(time, text) => { time.textContent = text }", moment)
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(_CUT_OFF) == 0, (moment, width)
            assert not visitor.scrolls_sideways(), (moment, width)


def test_who_is_there_is_not_cut_off_at_a_table_of_three(visit: Invite) -> None:
    """There is no room for text, so a circle shows it."""
    host, *friends = (visit(reduced_motion="reduce") for _ in range(3))
    seats = {"seat-0": "me", "seat-1": "friend", "seat-2": "friend"}
    begin(host, "rings", 2, "friend", players="3", clock="3d", **seats)
    invitations = [each.input_value() for each in host.page.locator("[id^=invitation-]").all()]
    for friend, invitation in zip(friends, invitations, strict=True):
        friend.page.goto(invitation)
        friend.page.get_by_role("button", name="Join game").click()
        friend.await_page("/table/")
    expect(host.page.locator(".presence.is-here")).to_have_count(2)
    for width, height in WINDOWS:
        host.page.set_viewport_size({"width": width, "height": height})
        assert host.page.evaluate(_CLIPPED) == [], width
