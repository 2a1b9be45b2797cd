"""Plan turns in one browser that are played when the opponent acts in another."""

from browser.axe import faults
from browser.conftest import Invite
from browser.opening import begin
from browser.visitor import Visitor, expect, until


def _at(visitor: Visitor, point: str) -> None:
    """Click on a point of the board, and wait for the response."""
    visitor.page.locator(f"#board [data-point='{point}']").click()
    until(visitor.page, '() => !document.querySelector("[aria-busy]")')


def _turn(visitor: Visitor, *points: str) -> None:
    for point in points:
        _at(visitor, point)


def _opened(visit: Invite) -> tuple[Visitor, Visitor]:
    """A game of Rin between two people, in which the host has played one stone and the friend is to play
    two."""
    host = visit(reduced_motion="reduce")
    begin(host, "rin", 6, "friend", side="0")
    friend = visit()
    friend.page.goto(host.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Join game").click()
    friend.await_page("/table/")
    expect(host.page.locator(".prompt.is-yours")).to_be_visible()
    _at(host, "0,0")
    expect(friend.page.locator(".prompt.is-yours")).to_be_visible()
    return host, friend


def test_two_answers_are_planned_and_one_is_played(visit: Invite) -> None:
    host, friend = _opened(visit)
    host.plan_ahead()
    expect(host.page.locator("#banner")).to_have_text("Planning: moves aren’t played")
    _turn(host, "1,1", "2,2")
    _turn(host, "3,3", "0,1")
    host.page.keyboard.press("Home")
    expect(host.page.locator(".planned.start")).to_have_attribute("aria-current", "step")
    _turn(host, "4,4", "2,2")
    _turn(host, "1,1", "5,5")
    expect(host.page.locator("#lines .planned")).to_have_count(5)
    assert faults(host.page, colours=True) == []
    expect(friend.page.locator("#moves li")).to_have_count(1)
    host.page.locator("#arm").click()
    expect(host.page.locator(".plan-state.is-armed")).to_be_visible()
    host.page.locator("#back").click()
    expect(host.page.locator(".plan-panel.is-armed")).to_be_visible()
    assert faults(host.page, colours=True) == []
    expect(friend.page.locator(".plan-panel.is-armed")).to_have_count(0)
    assert "3,3" not in friend.page.locator(".middle").inner_text()

    _turn(friend, "2,2", "4,4")
    friend.page.locator("#confirm").click()
    for visitor in (host, friend):
        expect(visitor.page.locator("#moves a")).to_have_count(5)
    expect(host.page.locator(".plan-played")).to_have_text("Your plan played 1,1 5,5 after 2,2 4,4.")
    expect(friend.page.locator(".prompt.is-yours")).to_be_visible()


def test_a_takeback_ends_a_plan_and_the_planning_page_follows_the_game(visit: Invite) -> None:
    host, friend = _opened(visit)
    room = host.open_tab()
    room.goto(f"{host.page.url}/plan")
    for point in ("1,1", "2,2", "3,3", "0,1"):
        room.locator(f"#board [data-point='{point}']").click()
        until(room, '() => !document.querySelector("[aria-busy]")')
    room.locator("#arm").click()
    expect(host.page.locator("#armed-plan")).to_be_visible()
    host.page.locator("#undo").click()
    expect(host.page.locator(".plan-end")).to_contain_text("Your plan has ended: a takeback was requested")
    expect(room.locator("#plan .plan-state.is-armed")).to_have_count(0)
    friend.page.locator("#accept").click()
    expect(host.page.locator("#moves li")).to_have_count(0)
    _at(host, "5,5")
    _turn(friend, "1,1", "2,2")
    friend.page.locator("#confirm").click()
    expect(host.page.locator("#moves a")).to_have_count(3)
    expect(host.page.locator(".prompt.is-yours")).to_be_visible()
    expect(room.locator(".prompt.is-yours")).to_contain_text(
        "It isn’t played: make your actual move in the game"
    )


def test_nothing_that_is_planned_is_played_by_mistake(visit: Invite) -> None:
    """With the keyboard, during the player's own turn, and with confirmation of turns switched off."""
    host, friend = _opened(visit)
    friend.open_menu("looks")
    friend.page.locator("[name=confirms]").uncheck()
    friend.plan_ahead()
    expect(friend.page.locator(".prompt")).to_contain_text(
        "It isn’t played: make your actual move in the game"
    )
    friend.page.locator("#board [data-point='1,1']").focus()
    friend.page.keyboard.press("Enter")
    until(friend.page, '() => document.getElementById("plan").dataset.begun === "1,1"')
    friend.page.keyboard.press("ArrowRight")
    friend.page.keyboard.press("Enter")
    until(friend.page, '() => document.getElementById("plan").dataset.at === "0"')
    _turn(friend, "3,3", "4,4")
    _turn(friend, "5,5", "0,5")
    friend.page.keyboard.press("Backspace")
    until(friend.page, '() => document.getElementById("plan").dataset.at === "0.0"')
    friend.page.locator("#arm").click()
    expect(friend.page.locator(".plan-state.is-armed")).to_be_visible()
    friend.page.locator("#back").click()
    expect(friend.page.locator("#armed-plan")).to_be_visible()
    expect(friend.page.locator("#moves a")).to_have_count(1)
    expect(host.page.locator("#moves a")).to_have_count(1)
