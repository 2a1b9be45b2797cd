"""All pages of the site, in every state that looks different."""

import random
from collections.abc import Iterator
from pathlib import Path

from browser.opening import begin, begin_by_clicks
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until

SIZES = {"lin": 7, "ren": 6, "rin": 8, "rings": 3, "rive": 3}
"""Sizes large enough for an interesting middle game."""
TURNS = {"lin": 16, "ren": 12, "rin": 20, "rings": 10, "rive": 12}

POSITION = "/analysis/position/rive?size=2&actions=a1.c1"


def pages_of_a_game(visitor: Visitor, game: str) -> Iterator[str]:
    """Go through a game's pages: its form, a table in mid-game with every overlay, its ending, its rules and
    its course."""
    page = visitor.page
    yield _at(visitor, f"/play/{game}")
    yield _at(visitor, f"/rules/{game}")
    yield _at(visitor, f"/games/{game}")
    yield _at(visitor, f"/rules/{game}/course")
    page.locator(".lessons a").last.click()
    expect(page.locator(".example.is-open")).to_be_visible()
    yield "an exercise"
    begin_by_clicks(visitor, game, SIZES[game], "beside", **({"negotiate": "off"} if game == "lin" else {}))
    sitting = Sitting(visitor)
    sitting.play_on(random.Random(7), turns=TURNS[game])
    _show_everything(visitor)
    yield "a table in mid-game"
    visitor.close_menu()
    page.locator("#resigning summary").click()
    page.locator("#resign").click()
    expect(page.locator("#ending")).to_be_visible()
    yield "a table at the end"
    visitor.open_menu()
    page.locator("#analyse").click()
    visitor.await_page("/analysis/study/")
    yield "an analysis board"


def pages_of_the_site(visitor: Visitor, tmp_path: Path) -> Iterator[str]:
    """Go through the pages that don't belong to a game, and those for play between people."""
    page = visitor.page
    yield _at(visitor, "/")
    begin_by_clicks(visitor, "lin", 5, "friend", side="0", negotiate="on")
    invitation = page.locator("[id^=invitation-]").input_value()
    yield "a table that waits"
    yield _at(visitor, invitation)
    begin(visitor, "lin", 5, "1", side="0", negotiate="on")
    expect(page.locator("#komi")).to_be_visible()
    yield "a komi to be named"
    visitor.open_menu("sharing")
    page.locator("button[value=list]").click()
    expect(page.locator("button[value=unlist]")).to_be_visible()
    yield "a listed game"
    begin(visitor, "rive", 3)
    page.locator("#coach-on").click()
    Sitting(visitor).play_on(random.Random(2), turns=3)
    Sitting(visitor).await_turn()
    expect(page.locator("[data-part=verdict]")).not_to_be_empty()
    yield "a table with a coach"
    page.locator("#resigning summary").click()
    page.locator("#resign").click()
    page.locator("#turning-points").click()
    expect(page.locator("#game-analysis .accuracy")).to_be_visible()
    yield "how a game went"
    yield _at(visitor, "/")
    page.locator(".left-delete button").first.click()
    expect(page.locator("main .alert")).to_be_visible()
    yield "a deleted game"
    page.goto("/play/lin")
    page.locator("[name=clock][value=custom]").check()
    page.locator("#opening button.primary").click()
    expect(page.locator("#clock-wrong")).to_be_visible()
    yield "a form with an error"
    page.goto("/play/rings")
    page.locator("[name=players][value='4']").check()
    expect(page.locator("#seat-3")).to_be_visible()
    yield "a form for four"
    for address in (
        "/about",
        "/me",
        "/games/",
        "/studies/",
        "/analysis/",
        "/analysis/new/ren",
        POSITION,
        "/puzzles/",
        "/nowhere",
    ):
        yield _at(visitor, address)
    yield from _a_puzzle(visitor)
    nonsense = tmp_path / "game.sgf"
    nonsense.write_text("(;GM[1])")
    page.goto("/analysis/")
    page.locator("#record").set_input_files(nonsense)
    page.locator("form[enctype] button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "a refused record"


def _a_puzzle(visitor: Visitor) -> Iterator[str]:
    """Open a puzzle of today."""
    page = visitor.page
    page.goto("/puzzles/")
    page.locator(".puzzle-card a").first.click()
    expect(page.locator("#puzzle.is-open")).to_be_visible()
    yield "a puzzle"


def _at(visitor: Visitor, address: str) -> str:
    visitor.page.goto(address)
    return address


def _show_everything(visitor: Visitor) -> None:
    """Switch on every overlay, the numbers and the dots."""
    visitor.open_menu("looks")
    for name in [box.get_attribute("id") for box in visitor.page.locator("#look [type=checkbox]").all()]:
        box = visitor.page.locator(f"#{name}")
        if not box.is_checked():
            visitor.page.evaluate("command.elements.key.isOld = true")
            box.check()
            until(visitor.page, "() => !command.elements.key.isOld && !table.hasAttribute('aria-busy')")
