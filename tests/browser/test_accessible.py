"""Pages pass axe, the site's content security policy, and the browser's console.

Here in one language and without colours: `test_playing` tests a table's colours, `tests/long` everything.
"""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.account_walk import pages_before_an_account, pages_of_an_account
from browser.axe import faults
from browser.conftest import Invite
from browser.tournament_walk import pages_of_staff, pages_of_tournaments
from browser.visitor import Visitor
from browser.walking import pages_of_the_site
from sampling import sample
from server.sites import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

LANGUAGES = ("en-GB", "de-DE")
"""Colours don't depend on the language (`server/test_static_files.py`), so only the first tests them."""

ONE = pytest.mark.parametrize("language", sample(LANGUAGES, 1, "axe"))


def _visitor(visit: Invite, language: str) -> Visitor:
    return visit(locale=language, reduced_motion="reduce")


def _faults(page: "Page", name: str, language: str, *, colours: bool = False) -> list[str]:
    return [f"{name}, {language}, {fault}" for fault in faults(page, colours=colours)]


@ONE
def test_axe_finds_nothing_serious_about_the_site(visit: Invite, tmp_path: Path, language: str) -> None:
    check_site(visit, tmp_path, language)


def check_site(visit: Invite, tmp_path: Path, language: str, *, colours: bool = False) -> None:
    visitor = _visitor(visit, language)
    pages = pages_of_the_site(visitor, tmp_path)
    found = [fault for name in pages for fault in _faults(visitor.page, name, language, colours=colours)]
    assert found == []
    asked_for = {"status 404: /nowhere", "status 422: /play/lin", "status 422: /analysis/upload"}
    assert set(visitor.troubles) == asked_for
    visitor.troubles.clear()


@ONE
def test_axe_finds_nothing_serious_about_accounts_and_what_they_open(
    visit: Invite, site: Site, language: str
) -> None:
    check_accounts(visit, site, language)


def check_accounts(visit: Invite, site: Site, language: str, *, colours: bool = False) -> None:
    stranger, ada, bob = (_visitor(visit, language) for _ in range(3))
    found = []
    for name in pages_before_an_account(stranger, site):
        found += _faults(stranger.page, name, language, colours=colours)
    for name in pages_of_an_account(ada, bob):
        found += _faults(ada.page, name, language, colours=colours)
    assert found == []
    assert [trouble.rpartition("/")[0] for trouble in ada.troubles] == ["status 403: /join"]
    assert stranger.troubles == ["status 422: /account/sign-up"]
    for visitor in (ada, stranger):
        visitor.troubles.clear()


@ONE
def test_axe_finds_nothing_serious_about_tournaments_and_what_staff_do(
    visit: Invite, site: Site, language: str
) -> None:
    check_tournaments(visit, site, language)


def check_tournaments(visit: Invite, site: Site, language: str, *, colours: bool = False) -> None:
    ada, bob, staff = (_visitor(visit, language) for _ in range(3))
    found = []
    for name, visitor in chain(pages_of_tournaments(ada, bob), pages_of_staff(staff, site)):
        found += _faults(visitor.page, name, language, colours=colours)
    assert found == []
