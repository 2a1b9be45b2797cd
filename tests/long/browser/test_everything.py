"""All games, windows, languages and colours, of which `tests/browser` tests a sample."""

from pathlib import Path

import pytest

from browser import test_accessible as accessible
from browser import test_playing as playing
from browser import test_steady as steady
from browser.conftest import Invite
from browser.opening import SMALL
from browser.test_accessible import LANGUAGES, _faults, _visitor
from browser.test_deadlines_shown import LONGEST, check_deadlines
from browser.test_phone import check_widths
from browser.visitor import Visitor
from browser.walking import pages_of_a_game
from server.sites import Site

EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
EVERY_GAME = pytest.mark.parametrize("game", SMALL)
EVERY_WINDOW = pytest.mark.parametrize("window", steady.WINDOWS)


@pytest.mark.parametrize("game", SMALL)
def test_axe_finds_nothing_serious_about_a_game(visit: Invite, game: str) -> None:
    """A single walkthrough covers both languages: a second tab shows each page in the other."""
    visitor = _visitor(visit, LANGUAGES[0])
    found = []
    for name in pages_of_a_game(visitor, game):
        found += _faults(visitor.page, name, LANGUAGES[0], colours=True)
        visitor.context.add_cookies([{"name": "django_language", "value": "de", "url": visitor.page.url}])
        tab = visitor.open_tab()
        tab.goto(visitor.page.url)
        assert tab.locator("html").get_attribute("lang") == "de"
        found += _faults(tab, name, LANGUAGES[1])
        tab.close()
        visitor.context.clear_cookies(name="django_language")
    assert found == []


@EVERY_LANGUAGE
def test_axe_finds_nothing_serious_about_any_page(
    visit: Invite, site: Site, tmp_path: Path, language: str
) -> None:
    colours = language == LANGUAGES[0]
    accessible.check_site(visit, tmp_path, language, colours=colours)
    accessible.check_accounts(visit, site, language, colours=colours)
    accessible.check_tournaments(visit, site, language, colours=colours)


@EVERY_GAME
def test_every_game_is_played_by_keys_and_kept_up(visitor: Visitor, game: str) -> None:
    playing.check_keyboard(visitor, game)
    playing.check_kept_up(visitor, game)


@pytest.mark.parametrize("game", playing.LARGE)
def test_no_click_styles_most_elements(visitor: Visitor, game: str) -> None:
    playing.check_style(visitor, game)


@EVERY_GAME
@pytest.mark.parametrize("window", ["1366 x 650", "phone"])
def test_nothing_jumps_in_any_game(visit: Invite, game: str, window: str) -> None:
    steady.check_whole_game(visit, game, window)


@EVERY_WINDOW
def test_nothing_jumps_in_any_window(visit: Invite, window: str) -> None:
    for place in steady.PLACES:
        steady.check_arrival(visit, place, window)
    steady.check_long_prompt(visit, window)
    steady.check_plan(visit, window)


@EVERY_GAME
def test_every_board_fits_every_window(visit: Invite, game: str) -> None:
    steady.check_board_size(visit, game)
    check_widths(visit, game)


@pytest.mark.parametrize("language", LONGEST)
def test_no_deadline_is_cut_off(visit: Invite, language: str) -> None:
    check_deadlines(visit, language)
