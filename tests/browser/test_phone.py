"""On a phone, touches between points work, and nothing is wider than the screen."""

from collections.abc import Iterator

import pytest

from browser.conftest import Invite
from browser.opening import SMALL, begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect
from sampling import sample

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}


def _tap(visitor: Visitor, target: str) -> None:
    visitor.page.locator(f"[id='{target}']").tap()


def test_small_points_are_chosen_by_a_first_tap_and_played_by_a_second(visit: Invite) -> None:
    visitor = visit(**PHONE)
    begin(visitor, "lin", 19, "beside", negotiate="off")
    sitting, choice = Sitting(visitor), visitor.page.locator(".choice")
    before = sitting.await_turn()
    first, second = before.targets[20], before.targets[200]

    _tap(visitor, first)
    expect(choice.locator("[data-play]")).to_contain_text(first.rpartition("-")[2])
    expect(choice.locator(".magnifier")).to_be_visible()
    _tap(visitor, second)
    expect(visitor.page.locator("#board .is-chosen")).to_have_id(second)
    assert sitting.look().mark == before.mark
    _tap(visitor, second)
    sitting.await_other_than(before.mark)
    expect(choice).to_be_hidden()
    assert second not in sitting.look().targets and first in sitting.look().targets


def test_a_chosen_point_can_be_played_by_the_button_or_let_go(visit: Invite) -> None:
    visitor = visit(**PHONE)
    begin(visitor, "rings", 6, "beside")
    sitting, choice = Sitting(visitor), visitor.page.locator(".choice")
    before = sitting.await_turn()
    _tap(visitor, before.targets[7])
    choice.locator("[data-cancel]").tap()
    expect(choice).to_be_hidden()
    _tap(visitor, before.targets[9])
    choice.locator("[data-play]").tap()
    sitting.await_other_than(before.mark)


def test_large_points_are_played_by_one_tap(visit: Invite) -> None:
    visitor = visit(**PHONE)
    begin(visitor, "lin", 5, "beside", negotiate="off")
    sitting = Sitting(visitor)
    before = sitting.await_turn()
    _tap(visitor, before.targets[3])
    sitting.await_other_than(before.mark)


@pytest.mark.parametrize("game", sample(SMALL, 1, "narrow"))
def test_no_page_is_wider_than_a_narrow_phone(visit: Invite, game: str) -> None:
    check_widths(visit, game)


def check_widths(visit: Invite, game: str) -> None:
    visitor = visit(**NARROW)
    too_wide = []
    for page in _pages(visitor, game):
        if visitor.scrolls_sideways():
            too_wide.append(page)
    assert too_wide == []


def _pages(visitor: Visitor, game: str) -> Iterator[str]:
    """Go to all pages of a game, and to those of no game."""
    page = visitor.page
    for address in (
        "/",
        f"/play/{game}",
        f"/rules/{game}",
        f"/rules/{game}/course",
        "/about",
        "/me",
        "/games/",
        "/studies/",
        "/analysis/",
    ):
        page.goto(address)
        yield address
    begin(visitor, game, {"lin": 19, "ren": 12, "rin": 18, "rings": 6, "rive": 8}[game], "beside")
    sitting = Sitting(visitor)
    for _ in range(3):
        sitting.click(sitting.await_turn().choices()[0])
    yield "the table"
    visitor.open_menu("looks")
    yield "its view unfolded"
    page.locator("#analyse").tap()
    visitor.await_page("/analysis/study/")
    yield "its analysis"


MENU = ("/", "/lobby/", "/puzzles/", "/rules/", "/games/", "/tournaments/", "/ratings/")


def test_all_pages_are_reached_from_a_table_without_scripts(visit: Invite) -> None:
    visitor = visit(**NARROW)
    table = begin(visitor, "rin", 4)
    plain = visit(**NARROW, java_script_enabled=False)
    plain.context.add_cookies(visitor.context.cookies())  # type: ignore[arg-type]
    for page in (visitor.page, plain.page):
        page.goto(table)
        links = page.locator("#nav-pages a")
        expect(links.first).to_be_hidden()
        page.locator("[popovertarget=nav-pages]").tap()
        expect(links.first).to_be_visible()
        assert [link.get_attribute("href") for link in links.all()] == list(MENU)
        page.locator("[popovertarget=nav-own]").tap()
        expect(page.locator("#nav-own a[href='/me']")).to_be_visible()
        expect(links.first).to_be_hidden()
    plain.troubles.clear()  # the scripts that it didn't load
