"""Hasty actions by people, and failures of servers, don't harm a game."""

from pathlib import Path

from browser.conftest import Invite
from browser.opening import begin, choices_anew, choose_size
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until
from server.ledgers import in_file
from server.sites import Site, running


def _entries(sitting: Sitting) -> int:
    return int(sitting.look().mark.partition("/")[0])


def test_two_quick_clicks_are_one(visitor: Visitor) -> None:
    begin(visitor, "lin", 5, "beside", negotiate="off")
    sitting = Sitting(visitor)
    before = sitting.await_turn()
    visitor.page.locator(f"[id='{before.targets[3]}']").dblclick()
    sitting.await_other_than(before.mark)
    visitor.page.reload()
    assert _entries(sitting) == 1


def test_one_press_begins_a_game_of_a_size_that_was_typed(visitor: Visitor) -> None:
    """Leaving the field updates the choices while the button is still held down."""
    page = visitor.page
    page.goto("/play/ren")
    choose_size(page, 4)
    page.locator("#opening button.primary").hover()
    with choices_anew(page):
        page.mouse.down()
    page.mouse.up()
    visitor.await_page("/table/")


def test_two_tabs_show_the_same(visitor: Visitor) -> None:
    begin(visitor, "lin", 5, "beside", negotiate="off")
    other = Sitting(visitor, visitor.open_tab())
    other.page.goto(visitor.page.url)
    sitting = Sitting(visitor)
    for name in sitting.await_turn().targets[:2]:
        before = other.look().mark
        sitting.click(name)
        other.await_other_than(before)
        assert other.look() == sitting.look()


def test_a_page_that_missed_the_news_does_nothing_wrong(visitor: Visitor) -> None:
    begin(visitor, "lin", 5, "beside", negotiate="off")
    stale = Sitting(visitor, visitor.open_tab())
    stale.page.route("**/events?*", lambda route: route.abort())
    stale.page.goto(visitor.page.url)
    sitting = Sitting(visitor)
    for name in sitting.await_turn().targets[:2]:
        sitting.click(name)
    old = stale.look()
    assert old.mark != sitting.look().mark
    stale.click(old.targets[10])
    expect(stale.page.get_by_role("alert")).not_to_be_empty()
    assert stale.look() == sitting.look() and _entries(sitting) == 2
    visitor.troubles = [trouble for trouble in visitor.troubles if "/events" not in trouble]
    assert visitor.troubles == [f"status 409: {_path(visitor)}/act"]
    visitor.troubles.clear()


def test_the_back_button_leads_to_the_game_as_it_is(visitor: Visitor) -> None:
    table = begin(visitor, "lin", 5, "beside", negotiate="off")
    sitting = Sitting(visitor)
    sitting.click(sitting.await_turn().targets[0])
    visitor.page.locator(".brand").click()
    visitor.page.wait_for_url("**/")
    visitor.page.go_back()
    visitor.page.wait_for_url(table)
    visitor.await_page("/table/")
    until(visitor.page, "() => table.dataset.entries === '1'")
    sitting.click(sitting.await_turn().targets[5])
    assert _entries(sitting) == 2
    visitor.page.go_back()
    visitor.page.go_forward()
    visitor.page.wait_for_url(table)
    visitor.await_page("/table/")
    until(visitor.page, "() => table.dataset.entries === '2'")
    assert _entries(sitting) == 2


def test_an_open_page_goes_on_after_the_server_was_killed(visit: Invite, tmp_path: Path) -> None:
    site = Site(tmp_path)
    with in_file(tmp_path), running(site):
        visitor = visit(home=f"http://localhost:{site.port}")
        begin(visitor, "ren", 4)
        sitting = Sitting(visitor)
        sitting.click(sitting.await_turn().choices()[0])
        before = sitting.await_turn()
        site.kill()
        lost = visitor.page.locator("#connection")
        expect(lost).to_contain_text("Connection lost")
        visitor.page.locator(f"[id='{before.targets[0]}']").click()
        expect(lost).to_contain_text("being sent again")
        assert sitting.look().mark == before.mark
        site.start()
        expect(lost).to_be_hidden()
        sitting.await_other_than(before.mark)
        sitting.await_turn()
        assert _entries(sitting) > int(before.mark.partition("/")[0])
        visitor.context.close()
    assert all("ERR_" in trouble for trouble in visitor.troubles), visitor.troubles
    visitor.troubles.clear()


def _path(visitor: Visitor) -> str:
    return "/table/" + visitor.page.url.partition("/table/")[2].partition("?")[0]
