"""What axe says of a page: on windows of three sizes, in both colour schemes, with other looks of boards.
And whether it is wider than any of these windows, or than a narrow phone.

Axe is put into a page once. What there is and its names depend on page and window, contrast on colours: it is
asked for each where that can differ.
"""

from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

WINDOWS = {"desktop": (1280, 800), "phone": (390, 844), "phone on its side": (844, 390)}
NARROW = {"narrow phone": (320, 640)}
SCHEMES = ("light", "dark")
LOOKS = ("slate", "sage", "contrast")
"""Words of the root element's `data-look`."""
SERIOUS = ("serious", "critical")
_RUN = """async ([place, options]) => {
  const { violations } = await axe.run(place ?? document, { resultTypes: ["violations"], ...options });
  return violations.map(({ id, impact, nodes: [{ html, failureSummary }] }) =>
    [id, impact, html.slice(0, 200), failureSummary]);
}"""
_IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
_CONTRAST = {"runOnly": ["color-contrast"]}
_ALL = {"rules": {"target-size": {"enabled": True}}}
_ALL_ELSE = {"rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": True}}}


def faults(page: "Page", *, colours: bool) -> list[str]:
    """What is serious, a line each, of contrast only if `colours` are asked for too.

    The window has its size again afterwards. A page whose colours change by and by has to prefer no motion.
    """
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    before, found = page.viewport_size, []
    assert before
    light, dark = SCHEMES
    for window, (width, height) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        found += _asked(page, f"{window}, {light}", _ALL if colours else _ALL_ELSE)
        if colours:
            page.emulate_media(color_scheme=dark)
            found += _asked(page, f"{window}, {dark}", _CONTRAST)
    found += _too_wide(page)
    page.set_viewport_size(before)
    if colours and page.locator("#board").count():
        found += _looks(page)
    return found


def _too_wide(page: "Page") -> list[str]:
    found = []
    for window, (width, height) in {**WINDOWS, **NARROW}.items():
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(_IS_TOO_WIDE):
            found.append(f"{window}: wider than the window")
    return found


def _looks(page: "Page") -> list[str]:
    set_look = "(look) => { document.documentElement.dataset.look = look }"
    before, found = page.evaluate("document.documentElement.dataset.look"), []
    for scheme, look in product(SCHEMES, LOOKS):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(set_look, look)
        found += _asked(page, f"{look}, {scheme}", _CONTRAST, "#board")
    page.evaluate(set_look, before)
    return found


def _asked(page: "Page", circumstances: str, options: dict[str, Any], place: str | None = None) -> list[str]:
    violations = page.evaluate(_RUN, [place, options])
    return [f"{circumstances}: {' '.join(told)}" for told in violations if told[1] in SERIOUS]
