"""Each game played to its end against a bot: by clicks, and by nothing but the keyboard."""

import random

import pytest

from browser.opening import SMALL, begin, begin_by_keys
from browser.sitting import Sitting
from browser.visitor import Visitor, expect


def _told(visitor: Visitor) -> str:
    """What the page says about the ending, beside its title."""
    ending = visitor.page.locator(".ending")
    expect(ending.get_by_role("heading")).not_to_be_empty()
    return ending.locator("p").first.inner_text()


@pytest.mark.parametrize("game", SMALL)
def test_a_running_game_is_two_clicks_away(visitor: Visitor, game: str) -> None:
    visitor.page.get_by_role("button", name=f"Play {game.title()}", exact=True).click()
    visitor.await_page("/table/")
    sitting = Sitting(visitor)
    sight = sitting.await_turn()
    sitting.click(sight.choices()[0])
    assert not sitting.look().is_over


@pytest.mark.parametrize("game", SMALL)
def test_clicks_play_a_game_to_its_end(visitor: Visitor, game: str) -> None:
    begin(visitor, game, SMALL[game])
    assert Sitting(visitor).play_on(random.Random(1)) > 2
    assert _told(visitor)


@pytest.mark.parametrize("game", SMALL)
def test_the_keyboard_alone_plays_a_game_to_its_end(visitor: Visitor, game: str) -> None:
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
_PLACES = """() => [".board-place", ".table-head", ".side"].map((name) => {
  const { left, width } = document.querySelector(name).getBoundingClientRect();
  return [name, left, width];
})"""


@pytest.mark.parametrize("game", SMALL)
def test_a_page_that_was_kept_up_is_the_page_that_would_be_loaded(visitor: Visitor, game: str) -> None:
    begin(visitor, game, SMALL[game])
    sitting = Sitting(visitor)
    for _ in range(3):
        sitting.click(sitting.await_turn().choices()[0])
    sitting.await_turn()
    kept = visitor.page.evaluate(_ELEMENTS), visitor.page.evaluate(_PLACES)
    visitor.page.reload()
    sitting.await_turn()
    assert (visitor.page.evaluate(_ELEMENTS), visitor.page.evaluate(_PLACES)) == kept
