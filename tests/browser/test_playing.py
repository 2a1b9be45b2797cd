"""Each game played to its end against a bot: by clicks, and by keyboard only."""

import json
import random

import pytest

from browser.axe import faults
from browser.conftest import Invite
from browser.layout_shifts import shifts_of, watch_shifts
from browser.opening import SMALL, begin, begin_by_keys
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until
from sampling import sample


def _told(visitor: Visitor) -> str:
    """The page's text on the ending, beside the winner; it must be visible without scrolling."""
    ending = visitor.page.locator(".ending")
    expect(ending.get_by_role("heading")).not_to_be_empty()
    expect(ending).to_be_in_viewport(ratio=1)
    return ending.locator("p").first.inner_text()


@pytest.mark.parametrize("game", SMALL)
def test_a_stranger_plays_a_whole_first_game_and_begins_the_next(visit: Invite, game: str) -> None:
    """There are no layout shifts during the game, and axe finds no faults at four moments."""
    visitor = visit(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page, sitting = visitor.page, Sitting(visitor)

    def look() -> list[str]:
        """The current faults of the page; discards the layout shifts that axe causes by resizing the
        window."""
        assert shifts_of(page) == []
        found = faults(page, colours=True)
        shifts_of(page)
        return found

    page.goto("/")
    page.get_by_role("button", name=f"Play {game.title()}", exact=True).click()
    visitor.await_page("/table/")
    watch_shifts(page)
    expect(page.locator(".players")).to_contain_text("Level 1")
    sitting.await_turn()
    expect(page.locator(".guide")).not_to_be_empty()
    expect(page.locator("#aids :checked").first).to_be_attached()
    assert look() == []
    chance = random.Random(1)
    assert sitting.play_on(chance, turns=2) == 2
    sitting.await_turn()
    assert look() == []
    sitting.play_on(chance)
    assert _told(visitor)
    assert look() == []
    first = page.url
    page.locator("#next-game").click()
    page.wait_for_url(lambda address: "/table/" in address and address != first)
    expect(page.locator(".players")).to_contain_text("Level")
    sitting.click(sitting.await_turn().choices()[0])
    assert not sitting.look().is_over
    assert faults(page, colours=True) == []


@pytest.mark.parametrize("game", sample(SMALL, 1, "keys"))
def test_the_keyboard_alone_plays_a_game_to_its_end(visitor: Visitor, game: str) -> None:
    check_keyboard(visitor, game)


def check_keyboard(visitor: Visitor, game: str) -> None:
    begin_by_keys(visitor, game, SMALL[game])
    assert Sitting(visitor).play_on(random.Random(2), by_keys=True) > 2
    assert _told(visitor)


_ELEMENTS = """() => [...document.querySelectorAll("#table, #table *")]
  .filter((element) => !["key", "csrfmiddlewaretoken"].includes(element.name))
  .filter((element) => element.id !== "touch" && !element.closest("noscript"))
  .map((element) => [
    element.tagName,
    ...element.getAttributeNames().filter((name) => name !== "tabindex").sort()
      .map((name) => `${name}=${element.getAttribute(name)}`),
    element.children.length ? "" : element.textContent.trim(),
  ].join(" "))"""
_PLACES = """() => [".board-place", ".table-head", ".stage"].map((name) => {
  const { left, width } = document.querySelector(name).getBoundingClientRect();
  return [name, left, width];
})"""


@pytest.mark.parametrize("game", sample(SMALL, 1, "kept up"))
def test_a_page_that_was_kept_up_is_the_page_that_would_be_loaded(visitor: Visitor, game: str) -> None:
    check_kept_up(visitor, game)


def check_kept_up(visitor: Visitor, game: str) -> None:
    begin(visitor, game, SMALL[game])
    sitting = Sitting(visitor)
    for _ in range(3):
        sitting.click(sitting.await_turn().choices()[0])
    sitting.await_turn()
    until(visitor.page, "() => !document.querySelector('.effects')")
    visitor.page.mouse.move(0, 0)  # a point under the pointer looks different
    kept = visitor.page.evaluate(_ELEMENTS), visitor.page.evaluate(_PLACES)
    visitor.page.reload()
    sitting.await_turn()
    assert (visitor.page.evaluate(_ELEMENTS), visitor.page.evaluate(_PLACES)) == kept


def test_the_point_under_the_pointer_has_the_colour_of_the_stone_to_come(
    visitor: Visitor,
) -> None:
    begin(visitor, "lin", SMALL["lin"], "beside", negotiate="off")
    sitting = Sitting(visitor)
    colours = []
    for name in ("b2", "d4"):
        sitting.await_turn()
        point = visitor.page.locator(f"#board-point-{name}")
        point.hover()
        colours.append(point.evaluate("(point) => getComputedStyle(point).fill"))
        visitor.page.mouse.move(0, 0)
        assert point.evaluate("(point) => getComputedStyle(point).fillOpacity") == "0"
        sitting.click(f"board-point-{name}")
    black, white = ([int(part) for part in colour[4:-1].split(",")] for colour in colours)
    assert max(black) < 80 and min(white) > 200


LARGE = {"lin": 13, "ren": 10, "rings": 6}


@pytest.mark.parametrize("game", sample(LARGE, 1, "style"))
def test_a_click_leaves_the_style_of_most_elements_alone(visitor: Visitor, game: str) -> None:
    check_style(visitor, game)


def check_style(visitor: Visitor, game: str) -> None:
    """Fail if an action restyles the whole board, as CSS rules on the board's surroundings would cause.

    In Rin and Rive, the end of a turn removes the actions from all points, so they do change.
    """
    page = visitor.page
    begin(visitor, game, LARGE[game], "beside", **({"negotiate": "off"} if game == "lin" else {}))
    sitting = Sitting(visitor)
    for _ in range(2):
        sitting.click(sitting.await_turn().choices()[0])
    sight = sitting.await_turn()
    page.context.browser.start_tracing(page=page, categories=["devtools.timeline"])
    sitting.click(sight.choices()[0])
    sitting.await_turn()
    events = json.loads(page.context.browser.stop_tracing())["traceEvents"]
    # Chromium reports the count at the end of styling; a styling cut off by the end of tracing has none.
    stylings = [event["args"] for event in events if event["name"] == "UpdateLayoutTree"]
    styled = [styling["elementCount"] for styling in stylings if "elementCount" in styling]
    assert 0 < max(styled) < page.locator("#table *").count() / 3
