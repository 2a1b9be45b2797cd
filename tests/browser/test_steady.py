"""Layouts are stable: the position and size of a page's board depend only on the window."""

import random
from itertools import product

import pytest

from browser.conftest import Invite
from browser.layout_shifts import arrive_slowly, shifts_of, watch_shifts
from browser.opening import SMALL, begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect, until
from sampling import sample

WINDOWS = {
    "1280 x 800": {"viewport": {"width": 1280, "height": 800}},
    "1366 x 650": {"viewport": {"width": 1366, "height": 650}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


@pytest.mark.parametrize("game", sample(SMALL, 1, "Analyse the game"))
def test_nothing_jumps_in_a_whole_game(visit: Invite, game: str) -> None:
    """On a phone; `test_playing` plays Analyse the games on a desktop, `tests/long` on all windows."""
    check_whole_game(visit, game, "phone")


def check_whole_game(visit: Invite, game: str, window: str) -> None:
    visitor = visit(**WINDOWS[window])
    begin(visitor, game, SMALL[game])
    visitor.page.locator("#coach-on").click()
    expect(visitor.page.locator(".coach-chance")).not_to_contain_text("coach is thinking")
    watch_shifts(visitor.page)
    Sitting(visitor).play_on(random.Random(3))
    expect(visitor.page.locator("#ending")).to_be_visible()
    assert shifts_of(visitor.page) == []


PLACES = ["table", "study", "lobby", "puzzles"]
ARRIVALS = [
    *sample(product(["table", "study"], WINDOWS), 1, "arrives"),
    *sample(product(["puzzles"], ["1280 x 800", "1366 x 650"]), 1, "arrives"),
]
"""One of each kind: on phones, puzzles are in one column and can't shift. `tests/long` has all."""


@pytest.mark.parametrize(("place", "window"), ARRIVALS)
def test_nothing_jumps_while_a_page_arrives(visit: Invite, place: str, window: str) -> None:
    check_arrival(visit, place, window)


def check_arrival(visit: Invite, place: str, window: str) -> None:
    """A page that is drawn before all of it has arrived doesn't shift."""
    visitor = visit(**WINDOWS[window])
    table = begin(visitor, "lin", SMALL["lin"], "beside", negotiate="off")
    addresses = {"table": table, "study": table.replace("/table/", "/analysis/table/")}
    assert arrive_slowly(visitor.page, addresses.get(place, f"/{place}")) == []
    expect(visitor.page.locator(".site-nav .nav-me")).to_be_visible()


@pytest.mark.parametrize("window", sample(WINDOWS, 1, "prompt"))
def test_a_long_prompt_moves_nothing(visit: Invite, window: str) -> None:
    check_long_prompt(visit, window)


def check_long_prompt(visit: Invite, window: str) -> None:
    visitor = visit(**WINDOWS[window])
    begin(visitor, "lin", SMALL["lin"], "beside", negotiate="off")
    prompt = visitor.page.locator(".prompt")
    prompt.evaluate("(prompt) => { prompt.textContent = '.' }")
    watch_shifts(visitor.page)
    prompt.evaluate(
        "(prompt) => { prompt.textContent = 'It is hard to say what can be done here. '.repeat(20) }"
    )
    assert shifts_of(visitor.page) == []


@pytest.mark.parametrize("game", sample(SMALL, 1, "window"))
def test_the_board_is_as_large_as_the_window(visit: Invite, game: str) -> None:
    check_board_size(visit, game)


def check_board_size(visit: Invite, game: str) -> None:
    """In wide windows the board is nearly as high as the window, in others nearly as wide.

    It has a minimum size: at a zoom of 400 % the page scrolls (WCAG 1.4.10).
    """
    visitor = visit()
    begin(visitor, game, SMALL[game], "beside", **({"negotiate": "off"} if game == "lin" else {}))
    for width, height in ((1280, 800), (1366, 650), (844, 390), (640, 400), (390, 844)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        box = visitor.page.locator("#board").bounding_box()
        assert box is not None
        assert not visitor.scrolls_sideways(), (width, height)
        assert box["y"] + box["height"] <= height
        assert box["height"] > 0.8 * height or box["width"] > 0.9 * width or width == 640
    for width, height in ((320, 256), (341, 192), (480, 270), (560, 240), (1000, 200)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        box = visitor.page.locator("#board").bounding_box()
        assert box is not None
        assert max(box["width"], box["height"]) >= 240, (width, height)
        assert not visitor.scrolls_sideways(), (width, height)


_LABELS = """() => [...document.querySelectorAll("#board .label")]
  .map((label) => Number.parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a)"""
"""JavaScript for the sizes of a board's coordinates on the screen, in pixels."""


@pytest.mark.parametrize("game", sample(SMALL, 1, "coordinates"))
def test_coordinates_are_small_on_the_smallest_board_too(visit: Invite, game: str) -> None:
    visitor = visit(viewport={"width": 1600, "height": 1200})
    begin(visitor, game, SMALL[game], "beside", **({"negotiate": "off"} if game == "lin" else {}))
    for width, height in ((1600, 1200), (1280, 800), (844, 390), (390, 844)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        sizes = visitor.page.evaluate(_LABELS)
        assert min(sizes) > 9 and max(sizes) <= 16, (width, height, sizes)
    resize(visitor, (500, 500))
    visitor.page.goto(f"{visitor.page.url}/picture.svg")
    for side in ("width", "height"):
        visitor.page.evaluate("(side) => document.documentElement.setAttribute(side, 500)", side)
    sizes = visitor.page.evaluate(_LABELS.replace("#board ", ""))
    assert 9 < max(sizes) <= 16.01, ("as a picture", sizes)


@pytest.mark.parametrize(
    ("desktop", "phone"), [((1280, 800), (390, 844)), ((1366, 650), (844, 390))], ids=str
)
def test_the_latest_move_and_resigning_stay_in_view(
    visit: Invite, desktop: tuple[int, int], phone: tuple[int, int]
) -> None:
    """After a hundred turns, of six players or of two who may chat."""
    visitor, friend = visit(), visit()
    resize(visitor, desktop)
    seats = {f"seat-{number}": "beside" for number in range(1, 6)}
    begin(visitor, "rings", 4, "beside", players="6", clock="10+5", **{"seat-0": "me", **seats})
    check_in_view(visitor, 100)
    check_in_view(visitor, 0, phone)
    assert visitor.page.evaluate(_CUT_OFF) == []
    resize(visitor, desktop)
    begin(visitor, "lin", 13, "friend", side="0", negotiate="off", clock="10+5")
    friend.page.goto(visitor.page.locator("[id^=invitation-]").input_value())
    friend.page.locator("main form button.primary").click()
    friend.await_page("/table/")
    Sitting(visitor).await_turn()
    check_in_view(visitor, 1)
    expect(visitor.page.locator("#chat-text")).to_be_in_viewport(ratio=1)
    check_in_view(visitor, 0, phone)
    resize(visitor, desktop)
    begin(visitor, "lin", 13, "beside", negotiate="off")
    check_in_view(visitor, 100)
    check_in_view(visitor, 0, phone)


def resize(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})


def check_in_view(visitor: Visitor, turns: int, size: tuple[int, int] | None = None) -> None:
    """Play turns, or open the page anew in a window of another size."""
    page = visitor.page
    if size:
        resize(visitor, size)
        page.reload()
    Sitting(visitor).play_on(random.Random(1), turns=turns)
    expect(page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#resigning > summary")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(_REACHED), "the latest move isn't covered"


_CUT_OFF = """() => [...document.querySelectorAll(".who > b")]
  .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""
"""JavaScript for the players whose names aren't shown whole."""

_REACHED = """() => {
  const { left, top } = document.querySelector("#moves [aria-current]").getBoundingClientRect();
  return document.elementFromPoint(left + 3, top + 3)?.closest("[aria-current]") !== null;
}"""

_CROWDED = """() => {
  const main = document.getElementById("main");
  const hidden = ".drawer-content, .visually-hidden, svg";
  const isSeen = (element) => element.checkVisibility() && !element.closest(hidden);
  const found = [];
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!isSeen(text.parentElement)) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  const all = document.querySelectorAll("main :is(button, .button, summary), .site-nav a");
  const buttons = [...all].filter(isSeen);
  for (const [index, button] of buttons.entries()) {
    if (button.scrollWidth > button.clientWidth + 1) found.push(button.textContent.trim());
    const { left, right, top, bottom } = button.getBoundingClientRect();
    for (const other of buttons.slice(index + 1)) {
      const box = other.getBoundingClientRect();
      if (left + 1 < box.right && box.left + 1 < right && top + 1 < box.bottom && box.top + 1 < bottom) {
        found.push(`${button.textContent.trim()} / ${other.textContent.trim()}`);
      }
    }
  }
  return found;
}"""
"""JavaScript for finding broken words, and buttons that are too small for their text or overlap."""


def test_there_is_room_for_the_words_beside_the_broadest_board(visit: Invite) -> None:
    """On Rive, which leaves the least room, and in German, which has longer words."""
    visitor = visit(locale="de-DE")
    begin(visitor, "rive", 6, "beside")
    Sitting(visitor).play_on(random.Random(1), turns=2)
    for width, height in ((1280, 900), (1280, 1024), (1024, 768), (640, 400), (390, 844), (320, 256)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        assert visitor.page.evaluate(_CROWDED) == [], (width, height)


@pytest.mark.parametrize("window", sample(["1280 x 800", "phone"], 1, "plan"))
def test_nothing_jumps_when_a_plan_answers(visit: Invite, window: str) -> None:
    check_plan(visit, window)


def check_plan(visit: Invite, window: str) -> None:
    host, friend = visit(**WINDOWS[window]), visit()
    table = begin(host, "rive", 3, "friend", side="0", clock="3d")
    invitation = host.page.locator("[id^=invitation-]").input_value()
    friend.page.goto(invitation)
    friend.page.locator("main form button.primary").click()
    friend.await_page("/table/")
    expect(host.page.locator(".prompt.is-yours")).to_be_visible()
    Sitting(host).play_on(random.Random(1), turns=1)
    expect(friend.page.locator(".prompt.is-yours")).to_be_visible()
    host.page.goto(f"{table}/plan")
    for planned in range(2):
        host.page.locator("#board .target[data-action]").nth(planned).click()
        until(host.page, '() => !document.querySelector("[aria-busy]")')
    answered = host.page.locator("#lines .planned").nth(1).inner_text().split()[-1]
    host.page.locator("#arm").click()
    expect(host.page.locator(".plan-state.is-armed")).to_be_visible()
    host.page.goto(table)
    expect(host.page.locator("#armed-plan")).to_be_visible()
    watch_shifts(host.page)
    friend.page.locator(f"#board [data-action='{answered}']").click()
    expect(host.page.locator("#moves a")).to_have_count(3)
    assert shifts_of(host.page) == []
