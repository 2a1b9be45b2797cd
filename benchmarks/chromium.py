"""The Chromium on this machine, which benchmarks of pages drive."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str:
    """Where it is. Raises FileNotFoundError if there is none."""
    found = next((found for name in NAMES if (found := shutil.which(name))), None)
    if found is None:
        raise FileNotFoundError(f"there is no Chromium: looked for {', '.join(NAMES)}")
    return found
