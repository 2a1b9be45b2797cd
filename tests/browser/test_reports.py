"""A report's page in a browser: offline, by keyboard, in light and dark mode."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kakomi
from browser.axe import faults
from kakomi.study.report.page.html import page
from study.report.conftest import played_study, report_of


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "rin.html"
    path.write_text(page(report_of(played_study(kakomi.game("rin", size=4)))), encoding="utf-8")
    return path


@pytest.fixture
def opened(chrome: Any, file: Path) -> Iterator[Any]:
    """The page; any network request or error fails the test."""
    context = chrome.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    shown, troubles = context.new_page(), []
    shown.on("pageerror", lambda error: troubles.append(str(error)))
    shown.on("console", lambda message: troubles.append(message.text))
    shown.on("request", lambda asked: None if asked.url.startswith("file:") else troubles.append(asked.url))
    shown.goto(file.as_uri())
    yield shown
    context.close()
    assert troubles == []


def test_games_are_played_through_by_keyboard(opened: Any) -> None:
    link = opened.locator("a[data-game]").first
    link.focus()
    opened.keyboard.press("Enter")
    now = opened.locator("#replay-now")
    opened.keyboard.press("Home")
    assert now.inner_text().startswith("The start")
    assert opened.locator("#replay .stones use").count() == 0
    opened.keyboard.press("ArrowRight")
    assert now.inner_text().startswith("1. Black:")
    assert opened.locator("#replay .stones use").count() == 1
    assert "@1" in opened.url
    address = opened.url
    opened.keyboard.press("Escape")
    opened.wait_for_function("!location.href.includes('@')")  # the dialog updates the address a moment later
    assert not opened.locator("#replay").is_visible()
    opened.goto("about:blank")
    opened.goto(address)
    assert now.inner_text().startswith("1. Black:")


def test_points_of_charts_are_told_to_keyboard_and_pointer(opened: Any) -> None:
    chart = opened.locator("svg[data-chart]").first
    chart.scroll_into_view_if_needed()
    chart.focus()
    opened.keyboard.press("ArrowRight")
    assert "random play" in opened.locator("#tip").inner_text()
    opened.keyboard.press("Escape")
    chart.locator(".dot").last.hover(force=True)
    assert "level 2" in opened.locator("#tip").inner_text()


def test_axe_finds_nothing_on_windows_of_any_size_in_light_and_dark(opened: Any) -> None:
    assert faults(opened, colours=True) == []
    opened.locator("a[data-game]").first.click()
    assert faults(opened, colours=True) == []
