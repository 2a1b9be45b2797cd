"""What axe says of a page: on windows of three sizes, in both colour schemes, with other looks of boards.
And whether it is wider than any of these windows, or than a narrow phone.

Axe is put into a page once. Most of what it asks is about what there is, and so is asked once for all windows
that show the same elements. What depends on places is asked in every window, contrast in both schemes too.
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
  const html = ([selector]) => document.querySelector(selector)?.outerHTML.slice(0, 200) ?? selector;
  return violations.map(({ id, impact, nodes: [{ target, failureSummary }] }) =>
    [id, impact, html(target), failureSummary]);
}"""
_NO_HTML = "\naxe.configure({ noHtml: true });"
"""Axe would write down every element that a rule looks at, for a tenth of its time."""
_IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
_SHOWN = """() => [...document.querySelectorAll("*")].map((element) =>
  +(element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0)).join("")"""
_CONTRAST = ("color-contrast",)
_OF_PLACES = ("target-size", "scrollable-region-focusable", "link-in-text-block", "th-has-data-cells")
"""What depends on where things are and how large; axe takes a table for one of data by its size, too."""
_ALL = {"rules": {"target-size": {"enabled": True}}}
_ALL_ELSE = {"rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": True}}}


def faults(page: "Page", *, colours: bool) -> list[str]:
    """What is serious, a line each, of contrast only if `colours` are asked for too.

    The window has its size again afterwards. A page whose colours change by and by has to prefer no motion.
    A page that is still on its way here is awaited.
    """
    page.wait_for_load_state()
    _put_axe_into(page)
    before, found, shown = page.viewport_size, [], set()
    assert before
    schemes = SCHEMES if colours else SCHEMES[:1]
    page.emulate_media(color_scheme=schemes[0])
    for window, (width, height) in {**WINDOWS, **NARROW}.items():
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(_IS_TOO_WIDE):
            found.append(f"{window}: wider than the window")
        if window in NARROW:
            continue
        for number, scheme in enumerate(schemes):
            if number:
                page.emulate_media(color_scheme=scheme)
            asked = _options(page, shown, scheme, colours=colours)
            found += _asked(page, f"{window}, {scheme}", asked)
        schemes = schemes[::-1]  # begin the next where this one ends
    page.set_viewport_size(before)
    if colours and page.locator("#board").count():
        found += _looks(page)
    return found


def _put_axe_into(page: "Page") -> None:
    """By the browser's own protocol, which compiles it once for all pages.

    The session stays: with its end the page would lose its virtual authenticator, whoever gave it one.
    """
    from axe_playwright_python.sync_playwright import Axe

    tools = page.context.new_cdp_session(page)
    answer = tools.send("Runtime.evaluate", {"expression": Axe().axe_script + _NO_HTML, "silent": True})
    assert "exceptionDetails" not in answer, answer


def _options(page: "Page", shown: set[str], scheme: str, *, colours: bool) -> dict[str, Any]:
    """What to ask in a window, where `shown` has been asked before.

    Whatever isn't about colours is asked in the light scheme: the other changes nothing else.
    """
    if scheme != SCHEMES[0]:
        return {"runOnly": _CONTRAST}
    known, now = len(shown), page.evaluate(_SHOWN)
    shown.add(now)
    if len(shown) > known:
        return _ALL if colours else _ALL_ELSE
    return {"runOnly": (*_OF_PLACES, *_CONTRAST) if colours else _OF_PLACES}


def _looks(page: "Page") -> list[str]:
    set_look = "(look) => { document.documentElement.dataset.look = look }"
    before, found = page.evaluate("document.documentElement.dataset.look"), []
    for scheme, look in product(SCHEMES, LOOKS):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(set_look, look)
        found += _asked(page, f"{look}, {scheme}", {"runOnly": _CONTRAST}, "#board")
    page.evaluate(set_look, before)
    return found


def _asked(page: "Page", circumstances: str, options: dict[str, Any], place: str | None = None) -> list[str]:
    violations = page.evaluate(_RUN, [place, options])
    return [f"{circumstances}: {' '.join(told)}" for told in violations if told[1] in SERIOUS]
