"""`python -m tests.browser.pictures`: photograph the site for the README and the docs.

The games are the same each time: two people at one screen play the search's choices for a fixed seed.
"""

import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image

import conftest  # noqa: F401  (sets the folder for compiled code)
import kakomi
from browser.chromium import chromium
from browser.opening import begin_by_clicks
from browser.sitting import Sitting
from browser.visitor import Visitor, expect
from kakomi.search import Search
from server.sites import Site, running

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "images"
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
COLOURS = 255
"""The number of colours in a picture: enough for drawings, at a third of the size."""


def home(visitor: Visitor) -> None:
    visitor.page.goto("/")


def table(visitor: Visitor) -> None:
    _play(visitor, "rin", 12, plies=61)
    visitor.open_menu("looks")
    visitor.page.locator("#overlay-immune").check()
    expect(visitor.page.locator("#overlay-immune")).to_be_checked()
    visitor.close_menu()
    visitor.page.evaluate("scrollTo(0, 0)")


def phone(visitor: Visitor) -> None:
    _play(visitor, "rings", 5, plies=34)
    visitor.page.evaluate("scrollTo(0, 0)")


def analysis(visitor: Visitor) -> None:
    """A position near the end of a game on a small board, where one action wins and others lose."""
    _play(visitor, "rive", 3, plies=39, seed=2, simulations=60)
    visitor.open_menu()
    visitor.page.locator("#analyse").click()
    visitor.await_page("/analysis/study/")
    visitor.page.locator("#engine-switch").click()
    expect(visitor.page.locator("#board g.hints")).not_to_be_empty()
    expect(visitor.page.locator("#lines ol.lines li").first).to_be_visible()
    visitor.page.locator("#prove-further").click()
    expect(visitor.page.locator("#proof .proved div")).to_have_count(2)
    visitor.page.evaluate("scrollTo(0, 0)")


def rules(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/ren")
    name = page.locator(".example.is-open").first.get_attribute("id")
    page.locator(f"#{name} button[value=show]").click()
    expect(page.locator(f"#{name} .alert")).to_be_visible()
    page.locator(f"#{name}").scroll_into_view_if_needed()
    page.evaluate("name => document.getElementById(name).scrollIntoView({block: 'center'})", name)


PICTURES: dict[str, tuple[Callable[[Visitor], None], dict[str, Any]]] = {
    "home": (home, DESKTOP),
    "table": (table, DESKTOP),
    "phone": (phone, PHONE),
    "analysis": (analysis, DESKTOP),
    "rules": (rules, DESKTOP),
}


def _play(
    visitor: Visitor, name: str, size: int, plies: int, *, seed: int = 4, simulations: int = 400
) -> None:
    """Play a game at one screen with the search's choices."""
    game = kakomi.game(name, size=size)
    search, position = Search(game, seed=seed), game.start()
    begin_by_clicks(visitor, name, size, "beside")
    sitting = Sitting(visitor)
    while position.ply < plies:
        action = search.run(position, simulations=simulations).action
        position = position.play_action(action)
        _do(sitting, game.actions[action].text)
    while "confirm" in sitting.await_turn().buttons:
        sitting.click("confirm")


def _do(sitting: Sitting, text: str) -> None:
    if "confirm" in sitting.await_turn().buttons:
        sitting.click("confirm")
    before = sitting.look().mark
    sitting.page.locator(f"#board [data-action='{text}'], [value='touch {text}']").first.dispatch_event(
        "click"
    )
    sitting.await_other_than(before)


def _save(photograph: bytes, path: Path) -> None:
    picture = Image.open(BytesIO(photograph)).convert("RGB")
    picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
        path, optimize=True
    )


def main() -> None:
    wanted = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, running(site := Site(Path(folder))), chromium() as browser:
        for name in wanted:
            show, device = PICTURES[name]
            visitor = Visitor(browser, f"http://localhost:{site.port}", **device)
            show(visitor)
            path = FOLDER / f"site-{name}.png"
            _save(visitor.page.screenshot(animations="disabled"), path)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", *visitor.troubles)
            visitor.context.close()


if __name__ == "__main__":
    main()
