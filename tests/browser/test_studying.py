"""Taking a game apart on an analysis board, and solving an example of the rules."""

import random

from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until

_MOST_STEPS = 20
_NODE = "document.getElementById('study').dataset.node"


def _studied(visitor: Visitor, size: int = 3) -> None:
    """A game of some turns against oneself, opened as an analysis board."""
    begin(visitor, "rive", size, "beside")
    Sitting(visitor).play_on(random.Random(5), turns=8)
    visitor.page.locator("#analyse").click()
    visitor.await_page("/analysis/study/")


def _await_node(visitor: Visitor, number: str) -> None:
    until(visitor.page, f"(number) => {_NODE} === number", number)


def _node(visitor: Visitor) -> str:
    return str(visitor.page.evaluate(_NODE))


def test_a_game_is_stepped_through_by_buttons_and_keys(visitor: Visitor) -> None:
    _studied(visitor)
    page = visitor.page
    page.locator("[data-step=last]").click()
    expect(page.locator("[data-step=on]")).to_have_attribute("data-node", _node(visitor))
    last = _node(visitor)
    assert int(last) >= 4
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    page.locator("#moves-title").click()
    page.keyboard.press("ArrowRight")
    _await_node(visitor, "1")
    page.keyboard.press("End")
    _await_node(visitor, last)
    page.keyboard.press("Home")
    _await_node(visitor, "0")
    page.locator(f"#moves [data-node='{last}']").click()
    _await_node(visitor, last)
    expect(page.locator("#moves [aria-current=step]")).to_have_attribute("data-node", last)


def test_another_turn_grows_a_variation_that_a_reload_keeps(visitor: Visitor) -> None:
    _studied(visitor)
    page = visitor.page
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    known = page.locator("#moves [data-node='1']").inner_text().split()[-1]
    target = page.locator(f"#board .target[data-action]:not([data-action='{known}'])").first
    target.click()
    until(page, f"() => {_NODE} !== '0'")
    expect(page.locator("#moves ol[aria-label]")).to_be_visible()
    page.locator("#comment-text").fill("better")
    page.locator("#comment button").click()
    expect(page.locator("#moves .has-comment")).to_be_visible()
    page.reload()
    expect(page.locator("#comment-text")).to_have_value("better")


def test_the_engines_lines_stream_in_and_stand_on_the_board(visitor: Visitor) -> None:
    _studied(visitor, size=5)
    page = visitor.page
    page.locator("#engine-switch").click()
    visits = page.locator("#lines ol.lines li .fine").first
    expect(page.locator("#board g.hints")).not_to_be_empty()
    expect(visits).not_to_have_text(visits.inner_text())
    page.locator("[data-step=first]").click()
    _await_node(visitor, "0")
    expect(page.locator("#lines:not(.is-old) ol.lines li").first).to_be_visible()
    page.locator("#engine-switch").click()
    expect(page.locator("#lines")).to_be_empty()


def test_a_lesson_that_is_completed_is_ticked_and_leads_to_the_next(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/rive/course")
    page.get_by_role("link", name="Begin").click()
    visitor.await_page("/rules/rive/course/apart")
    lessons = page.locator("#course-lessons li")
    expect(lessons.first).not_to_have_class("is-done")
    page.locator("#example-apart-board-point-c1").click()
    expect(lessons.first).to_have_class("is-done")
    expect(page.locator("progress")).to_have_attribute("value", "1")
    page.locator("#example-apart-next").click()
    visitor.await_page("/rules/rive/course/smallest")
    expect(lessons.first).to_have_class("is-done")


def test_a_reader_solves_an_example(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/rin")
    example = page.locator(".example.is-open").first
    name = example.get_attribute("id")
    for _ in range(_MOST_STEPS):
        example = page.locator(f"#{name}")
        if not example.locator("button[value=show]").count():
            break
        played = example.locator("input[name=played]").input_value()
        example.locator("button[value=show]").click()
        expect(example.locator("input[name=played]")).not_to_have_value(played)
    expect(example.locator(".alert.good")).to_be_visible()
    expect(page.locator("#announced")).not_to_be_empty()


def test_a_readers_own_move_is_answered(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/lin")
    example = page.locator(".example.is-open").first
    name = example.get_attribute("id")
    example.locator(".target").first.click()
    expect(page.locator(f"#{name} .alert")).not_to_be_empty()


def test_a_player_sees_at_the_table_how_the_game_went(visitor: Visitor) -> None:
    begin(visitor, "rive", 3, "beside", negotiate="off")  # a bot's answers differ from run to run
    page, sitting = visitor.page, Sitting(visitor)
    sitting.play_on(random.Random(4), turns=8)
    sitting.await_turn()
    page.locator("#resigning summary").click()
    page.locator("#resign").click()
    page.locator("#turning-points").click()
    expect(page.locator("#game-graph .accuracy")).to_be_visible()
    page.locator("#game-graph .chart a").nth(1).dispatch_event("click")
    expect(page.locator("#to-now")).to_be_visible()
    expect(page.locator("#game-graph .chart a.is-here")).to_have_attribute("data-node", "2")
    point = page.locator("#game-graph .turning-points li").first
    point.locator("a[data-part]").click()
    expect(page.locator("#game-graph li.is-here")).to_have_count(1)
    expect(page.locator("#board g.hints use")).to_have_count(1)
    page.locator("#to-now").click()
    expect(page.locator("#board g.hints use")).to_have_count(0)
    point.get_by_role("link", name="Play it against a bot").click()
    visitor.await_page("/play/rive")
    expect(page.locator("#position")).not_to_have_value("")
