"""Pages as axe sees them, and as the site's own policy and the browser's console do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.axe import faults
from browser.conftest import Invite
from browser.opening import SMALL
from browser.visitor import Visitor
from browser.walking import pages_of_a_game, pages_of_the_site

LANGUAGES = ("en-GB", "de-DE")
"""Colours depend on no language: they are looked at in the first."""


def _visitor(visit: Invite, language: str) -> Visitor:
    return visit(locale=language, reduced_motion="reduce")


def _faults(visitor: Visitor, pages: Iterator[str], language: str) -> list[str]:
    colours = language == LANGUAGES[0]
    return [f"{page}, {fault}" for page in pages for fault in faults(visitor.page, colours=colours)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SMALL)
def test_axe_finds_nothing_serious_about_a_game(visit: Invite, game: str, language: str) -> None:
    visitor = _visitor(visit, language)
    assert _faults(visitor, pages_of_a_game(visitor, game), language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_serious_about_the_site(visit: Invite, tmp_path: Path, language: str) -> None:
    visitor = _visitor(visit, language)
    assert _faults(visitor, pages_of_the_site(visitor, tmp_path), language) == []
    asked_for = {"status 404: /nowhere", "status 422: /play/lin", "status 422: /analysis/upload"}
    assert set(visitor.troubles) == asked_for
    visitor.troubles.clear()
