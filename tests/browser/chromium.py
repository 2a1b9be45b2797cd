"""The Chromium on this machine; without it, or without Playwright, a test is skipped with that reason."""

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from server.services import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHOWS_NOTIFICATIONS = NAMES[1:]
"""The headless shell allows nobody to."""


def executable(names: Sequence[str] = NAMES) -> str | None:
    """Where a Chromium is that has been installed."""
    return next((found for name in names if (found := shutil.which(name))), None)


@contextlib.contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser without a window. It comes with an event loop, in which Django's models refuse to work."""
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
