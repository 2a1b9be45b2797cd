"""Layout shifts of a page, as Chromium measures them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_WATCH = """() => {
  window.layoutShifts = [];
  const name = (node) => (node?.closest ? [node.tagName, ...node.classList].join(".") : String(node));
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const jump = (at) => `${name(at.node)}: ${box(at.previousRect)} -> ${box(at.currentRect)}`;
  new PerformanceObserver((list) => {
    const shifts = list.getEntries().map(({ value, sources }) => ({ value, sources: sources.map(jump) }));
    layoutShifts.push(...shifts);
  }).observe({ type: "layout-shift", buffered: true });
}"""
_TELL = """async () => {
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  return window.layoutShifts.splice(0);
}"""

_ARRIVE = """async (size) => {
  const text = await (await fetch(location.href)).text();
  document.open();
  for (let at = 0; at < text.length; at += size) {
    document.write(text.slice(at, at + size));
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  }
  document.close();
}"""
PIECE = 300


def watch_shifts(page: "Page") -> None:
    """Start collecting the shifts of a page, including those right after a click."""
    page.evaluate(_WATCH)


def shifts_of(page: "Page") -> list[dict[str, Any]]:
    """The shifts since the last call: `value`, and in `sources` what moved, from where to where."""
    found: list[dict[str, Any]] = page.evaluate(_TELL)
    return found


def arrive_slowly(page: "Page", address: str) -> list[dict[str, Any]]:
    """Go to a page that arrives in pieces of `PIECE` characters, each drawn before the next.

    It comes without its scripts, which the page before it has already run. Returns the shifts.
    """
    page.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(address)
    watch_shifts(page)
    page.evaluate(_ARRIVE, PIECE)
    return shifts_of(page)
