"""Animations and sounds depend on what a turn did, and a hidden page announces the player's turn."""

from browser.conftest import Invite
from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until

RECORD = """() => {
  window.moved = [];
  window.drift = 0;
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    if (!this.closest(".effects")) return animate.call(this, frames, timing);
    const [copy] = this.children;
    window.moved.push(`${copy.getAttribute("class")} ${copy.textContent}`.trim());
    const [x, y] = middle(this);
    const motion = animate.call(this, frames, timing);
    const [movedX, movedY] = middle(this);
    window.drift = Math.max(window.drift, Math.hypot(movedX - x, movedY - y));
    return motion;
  };
}"""
COUNT_SOUNDS = """window.sounds = 0;
window.OscillatorNode = class extends OscillatorNode {
  start(...when) { window.sounds += 1; super.start(...when); }
};"""


def _beside(visitor: Visitor, game: str, size: int) -> Sitting:
    begin(visitor, game, size, "beside")
    visitor.page.evaluate(RECORD)
    return Sitting(visitor)


def _play(sitting: Sitting, *points: str) -> list[str]:
    """Play actions, and return what moved at the last of them."""
    for point in points:
        sitting.await_turn()
        sitting.page.evaluate("window.moved = []")
        sitting.click(f"board-point-{point}")
    moved: list[str] = sitting.page.evaluate("window.moved")
    return moved


def test_what_a_stone_scores_rises_from_it(visit: Invite) -> None:
    sitting = _beside(visit(), "ren", 4)
    assert _play(sitting, "a1", "a4", "b1", "b4", "c1", "c4") == ["stone player-1"]
    assert _play(sitting, "d1") == ["stone player-0", "gain +1"]
    until(sitting.page, "() => !document.querySelector('.effects')")
    assert sitting.page.evaluate("window.drift") < 1  # each moves around its own centre


def test_a_stone_that_changes_hands_turns_round(visit: Invite) -> None:
    visitor = visit()
    sitting = _beside(visitor, "rin", 8)
    visitor.page.locator("#look-confirms").evaluate("(box) => box.click()")
    until(visitor.page, "() => !document.getElementById('look-confirms').checked")
    moved = _play(sitting, "2,3", "0,0", "3,3", "4,3", "3,2", "0,7", "7,0", "3,4")
    # Black's ring captures White's stone inside it; the score rises by visible stones.
    assert moved == ["stone player-0", "stone player-1"]


def test_who_prefers_no_motion_sees_none(visit: Invite) -> None:
    sitting = _beside(visit(reduced_motion="reduce"), "ren", 4)
    assert _play(sitting, "a1", "a4", "b1") == []


def test_looking_back_moves_nothing(visit: Invite) -> None:
    sitting = _beside(visit(), "ren", 4)
    _play(sitting, "a1", "a4")
    sitting.page.evaluate("window.moved = []")
    sitting.page.locator("#step-before").click()
    expect(sitting.page.locator(".steps")).to_contain_text("1 / 2")
    assert sitting.page.evaluate("window.moved") == []


def test_stones_are_heard_until_that_is_switched_off(visit: Invite) -> None:
    visitor = visit()
    visitor.context.add_init_script(COUNT_SOUNDS)
    sitting = _beside(visitor, "ren", 4)
    _play(sitting, "a1")
    until(visitor.page, "() => window.sounds > 0")
    visitor.page.keyboard.press("s")
    expect(visitor.page.locator("#connection")).to_have_text("Sound off.")
    visitor.page.evaluate("window.sounds = 0")
    _play(sitting, "a4", "b1")
    assert visitor.page.evaluate("window.sounds") == 0
    visitor.page.reload()
    sitting.await_turn()
    assert not visitor.page.locator("#sounds").is_checked()


def test_title_icon_and_notification_tell_of_ones_turn(visit: Invite) -> None:
    host, friend = visit(), visit(permissions=["notifications"])
    friend.context.add_init_script("""
        window.told = [];
        window.Notification = class extends EventTarget {
          static permission = "granted";
          static requestPermission = async () => "granted";
          constructor(title, { body }) { super(); window.told.push(body); }
          close() {}
        };
        Object.defineProperty(document, "hidden", { get: () => true });""")
    begin(host, "lin", 5, "friend", side="0", negotiate="off")
    friend.page.goto(host.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Join game").click()
    friend.await_page("/table/")
    page, icon = friend.page, friend.page.locator("link[rel=icon]")
    assert "mark-turn" not in str(icon.get_attribute("href")) and "Your turn" not in page.title()
    friend.open_menu("looks")
    page.locator("#notifications").check()
    sitting = Sitting(host)
    sitting.await_turn()
    sitting.click("board-point-c3")
    until(page, "() => document.title.includes('Your turn')")
    assert "mark-turn" in str(icon.get_attribute("href"))
    said, prompt = (page.locator("#table").get_attribute(f"data-{name}") for name in ("said", "prompt"))
    assert page.evaluate("window.told") == [f"{said} {prompt}"]
