"""A page on paper, printed by the Chromium that is installed."""

import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSERS = (
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
SECONDS = 180
_OPTIONS = (
    "--headless",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--no-pdf-header-footer",
)


class NoBrowser(RuntimeError):  # noqa: N818 (says what is the matter)
    """Nothing here prints a page; the message says what would."""


def print_page(page: str, to: Path) -> None:
    """Print a page into a PDF file. Raises NoBrowser, and OSError for a file that can't be written."""
    browser = find_browser()
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        sandbox = () if not _is_root() else ("--no-sandbox",)  # Chromium refuses to run as root with one
        command = [browser, *_OPTIONS, *sandbox, f"--user-data-dir={folder}/profile"]
        try:
            run = subprocess.run(
                [*command, f"--print-to-pdf={made}", source.as_uri()],
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NoBrowser(
                f"{browser} did not print the page within {SECONDS} s: write HTML, and print that"
            ) from None
        if run.returncode or not made.is_file():
            raise NoBrowser(
                f"{browser} printed nothing (exit code {run.returncode}): write HTML, and print that"
            )
        shutil.copyfile(made, to)


def find_browser() -> str:
    """The first Chromium on the PATH. Raises NoBrowser if there is none."""
    found = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if found is None:
        raise NoBrowser("a PDF needs Chromium or Chrome on the PATH: install one, or write HTML and print it")
    return found


def _is_root() -> bool:
    import os

    return hasattr(os, "geteuid") and os.geteuid() == 0
