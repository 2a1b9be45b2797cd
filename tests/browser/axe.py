"""The faults that axe finds in a page, in windows of three sizes, both colour schemes, and all board looks,
and whether the page is wider than any of these windows or a narrow phone.

Axe is injected into a page once. Most of its rules depend only on the elements, so they run once for all
windows that show the same ones. Rules that depend on layout run in every window, contrast also in both
schemes.
"""

from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

WINDOWS = {"desktop": (1280, 800), "phone": (390, 844), "phone on its side": (844, 390)}
NARROW = {"narrow phone": (320, 640)}
SCHEMES = ("light", "dark")
LOOKS = ("slate", "sage", "contrast")
"""Values of the root element's `data-look`."""
SERIOUS = ("serious", "critical")
_RUN = """async ([place, options]) => {
  const { violations } = await axe.run(place ?? document, { resultTypes: ["violations"], ...options });
  const html = ([selector]) => document.querySelector(selector)?.outerHTML.slice(0, 200) ?? selector;
  return violations.map(({ id, impact, nodes: [{ target, failureSummary }] }) =>
    [id, impact, html(target), failureSummary]);
}"""
_NO_HTML = "\naxe.configure({ noHtml: true });"
"""Recording the HTML of every element that a rule tests would take a tenth of axe's time."""
_IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
_SHOWN = """() => [...document.querySelectorAll("*")].map((element) =>
  +(element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0)).join("")"""
_CONTRAST = ("color-contrast",)
_OF_PLACES = ("target-size", "scrollable-region-focusable", "link-in-text-block", "th-has-data-cells")
"""Rules that depend on layout; axe also uses a table's size to decide whether it holds data."""
_ALL = {"rules": {"target-size": {"enabled": True}}}
_ALL_ELSE = {"rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": True}}}


def faults(page: "Page", *, colours: bool) -> list[str]:
    """The serious faults, one line each; contrast only with `colours`.

    Restores the window's size. A page with colour transitions must prefer reduced motion. Waits for a page
    that is still loading.
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
    """Inject axe through the browser's own protocol, which compiles it once for all pages.

    The session stays open: closing it would remove the page's virtual authenticator, even one added
    elsewhere.
    """
    from axe_playwright_python.sync_playwright import Axe

    tools = page.context.new_cdp_session(page)
    answer = tools.send("Runtime.evaluate", {"expression": Axe().axe_script + _NO_HTML, "silent": True})
    assert "exceptionDetails" not in answer, answer


def _options(page: "Page", shown: set[str], scheme: str, *, colours: bool) -> dict[str, Any]:
    """The rules to run in a window, given the sets of elements (`shown`) already tested.

    Rules that aren't about colours only run in the light scheme, because nothing else differs in the other.
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
