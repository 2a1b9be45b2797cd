"""What newcomers see and learn at a table."""

from browser.conftest import Invite
from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect


def _box(visitor: Visitor) -> dict[str, float]:
    box = visitor.page.locator("#board").bounding_box()
    assert box
    return dict(box)


def test_the_rules_open_beside_the_board_at_the_place_that_matters(visit: Invite) -> None:
    visitor = visit()
    begin(visitor, "rive", 3, "beside")
    before = _box(visitor)
    guide = visitor.page.locator(".guide")
    expect(guide).to_contain_text("Play on a dotted cell")
    guide.locator("a").click()
    expect(visitor.page.locator("#rule-V3.is-now")).to_be_attached()
    expect(visitor.page.locator("#rule-V3 + p")).to_be_in_viewport()
    assert _box(visitor) == before
    visitor.close_menu()
    Sitting(visitor).click("board-point-a1")
    visitor.page.locator("#board-point-a2").click()
    expect(visitor.page.locator(".answer a")).to_have_attribute("href", "/rules/rive#rule-V3")
    assert visitor.troubles.pop().startswith("status 422")


def test_pointing_shows_what_a_stone_does_and_a_click_clears_it(visit: Invite) -> None:
    visitor = visit()
    begin(visitor, "ren", 4, "beside")
    sitting, page = Sitting(visitor), visitor.page
    for action in ("a1", "a4", "b1", "b4", "c1", "d4"):
        sitting.await_turn()
        sitting.click(f"board-point-{action}")
    sitting.await_turn()
    page.locator("#board-point-d1").hover()
    expect(page.locator(".preview-words")).to_have_text("Black +1")
    assert page.locator("#board .preview .ghost").count() == 1
    page.locator("#board-point-d2").hover()
    expect(page.locator("#board .preview .ghost")).to_have_count(1)
    assert page.locator(".preview-words").count() == 0
    before = sitting.look().mark
    page.locator("#board-point-d1").click()
    sitting.await_other_than(before)
    expect(page.locator("#board-point-d1")).to_have_attribute("aria-label", "d1, Black stone, last played")
    assert page.locator("#board [aria-description]").count() == 0
