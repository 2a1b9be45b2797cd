"""A visitor with a browser, and the errors in it."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import (  # type: ignore[attr-defined]
        Browser,
        ConsoleMessage,
        Locator,
        LocatorAssertions,
        Page,
        Request,
        Response,
    )

PATIENCE = 90_000
"""The timeout in milliseconds for what takes a tenth of a second on an idle machine."""
MOST_TABS = 200

_TELL_OF_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI} at ${event.sourceFile}`))"""
_ARE_AT = "(selector) => document.activeElement.matches(selector)"
_AWAIT = """async (value) => {
  const holds = %s;
  const end = performance.now() + %d;
  while (!(await holds(value))) {
    if (performance.now() > end) throw new Error(`this never came true: ${holds} of ${value}`);
    await new Promise((go) => setTimeout(go, 5));
  }
}"""


class Visitor:
    """One browser context with one page."""

    def __init__(self, browser: "Browser", home: str, **device: Any) -> None:
        self.context = browser.new_context(base_url=home, **device)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_TELL_OF_VIOLATIONS)
        self.troubles: list[str] = []
        """Script errors, content security policy violations and failed requests, in order."""
        self.page = self.open_tab()

    def open_tab(self) -> "Page":
        """Another page in the same browser."""
        page = self.context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.troubles.append(f"script: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        return page

    def _said(self, message: "ConsoleMessage") -> None:
        # Chromium also logs failed requests, but `_answered` has more details.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.troubles.append(f"console: {message.text}")

    def _failed(self, request: "Request") -> None:
        # Event streams and other open requests end with their page.
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"request: {urlsplit(request.url).path}: {request.failure}")

    def _answered(self, response: "Response") -> None:
        if response.status >= 400:
            self.troubles.append(f"status {response.status}: {urlsplit(response.url).path}")

    def await_page(self, address: str) -> None:
        """Wait until a page whose path begins with `address` has loaded, with its scripts."""
        self.page.wait_for_url(lambda url: urlsplit(url).path.startswith(address))

    def open_menu(self, item: str = "") -> None:
        """Open the menu of a table, and an item that unfolds in it."""
        if not self.page.locator("#menu[open]").count():
            self.page.locator("#menu > summary").click()
        if item:
            self.page.locator(f"#{item} > summary").click()

    def close_menu(self) -> None:
        """Close the menu of a table."""
        self.page.locator("#menu[open] > summary").click()

    def plan_ahead(self) -> None:
        """Go from a table to its planning page, and wait until it handles keys and clicks."""
        table = self.page.url
        self.open_menu()
        self.page.locator("#plan-ahead").click()
        self.page.wait_for_url(f"{table}/plan")

    def tab_to(self, selector: str) -> None:
        """Press Tab until an element with the selector has the focus."""
        for _ in range(MOST_TABS):
            if self.page.evaluate(_ARE_AT, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab doesn't lead to {selector} on {self.page.url}")

    def scrolls_sideways(self) -> bool:
        """Whether the page is wider than the screen."""
        root = "document.documentElement"
        return bool(self.page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))


def until(page: "Page", holds: str, value: object = None) -> None:
    """Wait until a JavaScript function of a value, which may be async, returns true.

    Playwright's own `wait_for_function` evaluates strings as code, which the site's policy forbids.
    """
    page.evaluate(_AWAIT % (holds, PATIENCE), value)


def expect(locator: "Locator") -> "LocatorAssertions":
    """Playwright's assertions, which wait until they hold, with a timeout of `PATIENCE`."""
    from playwright.sync_api import expect as playwrights

    playwrights.set_options(timeout=PATIENCE)
    return playwrights(locator)
