"""Screenshots of what visitors see, taken if the environment has `KAKOMI_PICTURES=FOLDER`."""

import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from browser.axe import SCHEMES, WINDOWS
from browser.visitor import Visitor

FOLDER = os.environ.get("KAKOMI_PICTURES", "")
_SHOWN = ("desktop", "phone")


def photograph(
    visitor: Visitor, name: str, windows: Sequence[str] = _SHOWN, schemes: Sequence[str] = SCHEMES
) -> None:
    """Take screenshots of the whole page on a desktop and a phone, light and dark, if requested."""
    if not FOLDER:
        return
    page, before = visitor.page, visitor.page.viewport_size
    assert before
    for window, scheme in product(windows, schemes):
        width, height = WINDOWS[window]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        path = Path(FOLDER) / f"{name}-{window}-{scheme}.png"
        page.screenshot(path=path, full_page=True, animations="disabled")
    page.set_viewport_size(before)
