"""Pages as axe sees them, and as the site's own policy and the browser's console do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Invite
from browser.opening import SMALL
from browser.visitor import Visitor
from browser.walking import pages_of_a_game, pages_of_the_site

LOOKS = {
    "light, English": {"color_scheme": "light", "locale": "en-GB"},
    "dark, German": {"color_scheme": "dark", "locale": "de-DE", "viewport": {"width": 390, "height": 844}},
}
"""Colours depend on no language and words on no colours, so each once is all of them."""
SERIOUS = ("serious", "critical")


def _faults(visitor: Visitor, pages: Iterator[str]) -> list[str]:
    """What axe finds that is serious, a line each."""
    from axe_playwright_python.sync_playwright import Axe

    axe, faults = Axe(), []
    for page in pages:
        found = axe.run(visitor.page, options={"resultTypes": ["violations"]}).response["violations"]
        for violation in found:
            if violation["impact"] in SERIOUS:
                where = violation["nodes"][0]
                faults.append(f"{page}: {violation['id']}: {where['html'][:200]} {where['failureSummary']}")
    return faults


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("game", SMALL)
def test_axe_finds_nothing_serious_about_a_game(visit: Invite, game: str, look: str) -> None:
    visitor = visit(**LOOKS[look])
    assert _faults(visitor, pages_of_a_game(visitor, game)) == []


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious_about_the_site(visit: Invite, tmp_path: Path, look: str) -> None:
    visitor = visit(**LOOKS[look])
    assert _faults(visitor, pages_of_the_site(visitor, tmp_path)) == []
    asked_for = {"status 404: /nowhere", "status 422: /play/lin", "status 422: /analysis/upload"}
    assert set(visitor.troubles) == asked_for
    visitor.troubles.clear()
