"""The Chromium on this machine; without it or Playwright, tests are skipped with a reason."""

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from server.services import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHOWS_NOTIFICATIONS = NAMES[1:]
"""The browsers that can show notifications; the headless shell can't."""


def executable(names: Sequence[str] = NAMES) -> str | None:
    """The path of an installed Chromium, or None."""
    return next((found for name in names if (found := shutil.which(name))), None)


@contextlib.contextmanager
def chromium() -> Iterator["Browser"]:
    """A headless browser. It runs an event loop, in which Django's models refuse to work."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright isn't installed")
    found = executable()
    if found is None:
        missing(f"there is no Chromium: looked for {', '.join(NAMES)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
