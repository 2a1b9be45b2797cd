"""Games between browsers by invitation: updates reach players and viewers automatically."""

import random
from urllib.parse import urlsplit

from playwright.sync_api import Request

from browser.conftest import Invite
from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect


def _invited(visit: Invite, host: Visitor) -> Visitor:
    """A friend who has followed the link and sat down."""
    friend = visit()
    friend.page.goto(host.page.locator("[id^=invitation-]").input_value())
    friend.page.get_by_role("button", name="Join game").click()
    friend.await_page("/table/")
    return friend


def _watching(visit: Invite, host: Visitor) -> Visitor:
    watcher = visit()
    watcher.page.goto(host.page.locator("#watch-link").input_value())
    expect(watcher.page.get_by_text("Spectating")).to_be_visible()
    return watcher


def test_two_negotiate_and_play_while_a_third_watches(visit: Invite) -> None:
    host = visit()
    begin(host, "lin", 5, "friend", side="0", negotiate="on")
    friend, watcher = _invited(visit, host), _watching(visit, host)
    sittings = [Sitting(guest) for guest in (host, friend)]
    others = Sitting(watcher)

    sittings[0].await_turn()
    host.page.locator("#komi").press("ArrowUp")
    komi = host.page.locator("#komi").input_value()
    sittings[0].click("name-komi")
    expect(friend.page.locator(".options").filter(has_text=f"komi {komi}")).to_be_visible()
    sittings[1].click("colour-1")

    chance = random.Random(3)
    for ply in range(6):
        mover, waiter = sittings[ply % 2], sittings[1 - ply % 2]
        sight = mover.await_turn()
        before = waiter.look().mark, others.look().mark
        mover.click(chance.choice(sight.targets))
        waiter.await_other_than(before[0])
        others.await_other_than(before[1])
        assert not others.look().is_mine
    turns = [guest.page.locator("#moves").inner_text() for guest in (host, friend, watcher)]
    assert turns[0] == turns[1] == turns[2]


def test_the_board_comes_with_the_news_and_is_asked_for_where_it_doesnt_fit(visit: Invite) -> None:
    host = visit()
    table = urlsplit(begin(host, "ren", 6, "friend", side="0", negotiate="off")).path
    friend, watcher = _invited(visit, host), _watching(visit, host)
    sittings, chance = [Sitting(host), Sitting(friend)], random.Random(4)
    asked: dict[Visitor, list[str]] = {guest: [] for guest in (host, friend, watcher)}
    for guest, paths in asked.items():
        listen(guest, paths)

    def play(ply: int) -> None:
        mover, waiter = sittings[ply % 2], sittings[1 - ply % 2]
        sight, before = mover.await_turn(), (waiter.look().mark, Sitting(watcher).look().mark)
        mover.click(chance.choice(sight.targets))
        waiter.await_other_than(before[0])
        Sitting(watcher).await_other_than(before[1])

    for ply in range(4):
        play(ply)
    assert asked[watcher] == []
    assert set(asked[host]) == set(asked[friend]) == {f"{table}/act"}
    watcher.page.evaluate("document.querySelector('[data-fragment=title]').dataset.etag = 'another'")
    play(4)
    assert asked[watcher] == [table]
    play(5)
    assert asked[watcher] == [table]
    shown = [guest.page.locator("#moves").inner_text() for guest in asked]
    assert shown[0] == shown[1] == shown[2]


def listen(guest: Visitor, paths: list[str]) -> None:
    """Collect the paths of all requests of a page for fragments."""

    def note(request: Request) -> None:
        if "kakomi-etags" in request.headers:
            paths.append(urlsplit(request.url).path)

    guest.page.on("request", note)


def test_resigning_and_the_rematch_reach_the_other(visit: Invite) -> None:
    host = visit()
    table = begin(host, "rin", 4, "friend", side="0")
    friend = _invited(visit, host)

    host.page.locator("#resigning summary").click()
    host.page.locator("#resign").click()
    expect(friend.page.locator("#ending")).to_have_text("You win.")
    friend.page.locator("#rematch").click()
    expect(host.page.locator("#rematch")).to_have_text("Accept rematch")
    host.page.locator("#rematch").click()
    host.page.wait_for_url(lambda url: "/table/" in url and url != table)
    friend.page.locator("#to-successor").click()
    friend.page.wait_for_url(host.page.url)
    sittings = [Sitting(friend), Sitting(host)]
    mover, waiter = sorted(sittings, key=lambda sitting: not sitting.look().is_mine)
    before = waiter.look().mark
    while mover.look().is_mine:
        mover.click(mover.look().choices()[0])
    assert waiter.await_turn().mark != before


def test_offers_are_answered_across(visit: Invite) -> None:
    host = visit()
    begin(host, "rive", 2, "friend", side="0")
    friend = _invited(visit, host)
    sitting = Sitting(host)
    sitting.click(sitting.await_turn().targets[0])
    Sitting(friend).await_turn()
    host.page.locator("#undo").click()
    friend.page.locator("#accept").click()
    sitting.await_turn()
    assert sitting.look().mark.startswith(Sitting(friend).look().mark.partition("/")[0])


def test_a_turn_that_is_put_together_in_one_tab_goes_on_in_another(visit: Invite) -> None:
    host = visit()
    table = begin(host, "rin", 4, "friend", side="0")
    friend = _invited(visit, host)
    other, here, there = Sitting(host), Sitting(friend), Sitting(friend, friend.open_tab())
    other.click(other.await_turn().targets[0])
    here.await_turn()
    there.page.goto(table)
    begun, unseen = there.await_turn().mark, other.look().mark
    for tab, another in ((here, there), (there, here)):
        before = another.look().mark
        tab.click(tab.look().targets[5])
        another.await_other_than(before)
        assert another.look() == tab.look()
    assert here.look().mark != begun and other.look().mark == unseen
    before = here.look().mark
    there.click("confirm")
    here.await_other_than(before)
    assert not here.look().is_mine and other.await_turn().is_mine


def test_who_looks_back_is_told_what_is_new(visit: Invite) -> None:
    host = visit()
    begin(host, "lin", 5, "friend", side="0", negotiate="off")
    friend = _invited(visit, host)
    own, others = Sitting(host), Sitting(friend)
    for sitting, point in ((own, "c3"), (others, "d3")):
        sitting.await_turn()
        sitting.click(f"board-point-{point}")
    own.await_turn()
    friend.page.locator("h1").click()
    friend.page.keyboard.press("ArrowLeft")
    friend.page.keyboard.press("ArrowLeft")
    expect(friend.page.locator(".steps")).to_contain_text("0 / 2")
    news = friend.page.locator(".turn .news")
    expect(news).to_be_hidden()
    own.click("board-point-b2")
    expect(news).to_contain_text("Black plays b2")
    expect(friend.page.locator("#said")).to_contain_text("Black plays b2")
    friend.page.keyboard.press("End")
    expect(friend.page.locator(".steps")).to_contain_text("3 / 3")
    assert "ply" not in friend.page.url and others.look().is_mine


def test_keys_are_listed_by_a_key(visit: Invite) -> None:
    visitor = visit()
    begin(visitor, "ren", 4)
    keys = visitor.page.locator("#keys")
    visitor.page.keyboard.press("?")
    expect(keys).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()


_LISTEN = """() => {
  window.heard = [];
  const note = () => heard.push(said.textContent);
  new MutationObserver(note).observe(said, { childList: true });
}"""


def _heard(visitor: Visitor) -> list[str]:
    """The first sentences of all screen reader announcements since the last call."""
    texts: list[str] = visitor.page.evaluate("heard.splice(0)")
    return [text.partition(". ")[0] for text in texts]


def test_what_was_done_is_heard_once(visit: Invite) -> None:
    host = visit()
    begin(host, "rin", 8, "friend", side="0")
    friend = _invited(visit, host)
    own, others = Sitting(host), Sitting(friend)
    own.await_turn()
    for visitor in (host, friend):
        visitor.page.evaluate(_LISTEN)
    own.click("board-point-1,1")
    others.await_turn()
    assert (_heard(host), _heard(friend)) == (["Black plays 1,1"], ["Black plays 1,1"])
    others.click("board-point-3,3")
    others.click("untouch")
    others.click("board-point-2,2")
    others.click("board-point-4,4")
    assert _heard(friend) == [
        "White plays 3,3",
        "Undone: White plays 3,3",
        "White plays 2,2",
        "White plays 4,4",
    ]
    others.click("confirm")
    own.await_turn()
    assert _heard(host) == ["White plays 2,2 4,4"]
    (waits,) = _heard(friend)
    assert waits.startswith("Waiting for")


def test_keys_close_menus_and_lead_to_legal_points(visit: Invite) -> None:
    visitor = visit()
    begin(visitor, "rin", 8, "friend", side="0")
    friend = _invited(visit, visitor)
    Sitting(visitor).await_turn()
    page, menu = visitor.page, visitor.page.locator("#menu")
    text = page.locator("#chat-text")
    text.fill("にほん")
    press = """(field, keyCode) => field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", keyCode, bubbles: true, cancelable: true }))"""
    assert text.evaluate(press, 229), "Safari confirms a candidate so"
    assert text.input_value() == "にほん" and not friend.page.get_by_text("にほん").count()
    assert not text.evaluate(press, 13)
    expect(text).to_have_value("")
    menu.locator("> summary").press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    assert page.evaluate("document.activeElement.parentElement.id") == "menu"

    Sitting(visitor).click("board-point-1,1")
    Sitting(friend).await_turn()
    friend.page.locator("[id='board-point-1,0']").focus()
    for key, there in (("l", "1,2"), ("Shift+L", "1,0"), ("l", "1,2")):
        friend.page.keyboard.press(key)
        assert friend.page.evaluate("document.activeElement.dataset.point") == there


def test_a_click_while_the_other_thinks_is_played_at_ones_turn(visit: Invite) -> None:
    host = visit()
    begin(host, "lin", 5, "friend", side="0", negotiate="off")
    friend = _invited(visit, host)
    own, others = Sitting(host), Sitting(friend)
    own.await_turn()
    for point in ("a1", "b2", "d4"):  # another point instead
        friend.page.locator(f"#board-point-{point}").click()
    expect(friend.page.locator("#board .is-premoved")).to_have_id("board-point-d4")
    own.click("board-point-c3")
    expect(friend.page.locator("#moves")).to_contain_text("d4")
    assert not others.look().is_mine

    friend.page.locator("#board-point-e5").click()
    own.await_turn()
    own.click("board-point-e5")
    expect(friend.page.locator("#connection")).to_contain_text("e5")
    assert others.await_turn().is_mine
    own_point = friend.page.locator("#board-point-a1")
    others.click("board-point-b2")
    own_point.click()
    own_point.click()
    expect(friend.page.locator("#board .is-premoved")).to_have_count(0)
