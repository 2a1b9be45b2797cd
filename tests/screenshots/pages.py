"""The pages that are photographed, who looks at them, and how to get there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from browser.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from screenshots.population import Population

SIGNED_IN = "ada"


class Tour(Visitor):
    """A visitor who knows what is on the site."""

    def __init__(self, browser: "Browser", home: str, people: "Population", **device: Any) -> None:
        super().__init__(browser, home, **device)
        self.people = people

    def open(self, address: str) -> None:
        """Open a page, unless it is there already."""
        self.page.goto(address)

    def follow(self, address: str, link: str) -> None:
        """Open the page of the first link on a page whose address begins with `link`."""
        self.page.goto(address)
        found = self.page.locator(f"main a[href^='{link}']").first.get_attribute("href")
        self.page.goto(found or "")


@dataclass(frozen=True)
class Page:
    """A page, and the user who looks at it."""

    show: Callable[[Tour], object]
    who: Callable[["Population"], str] = lambda _: SIGNED_IN


def _guest(address: str) -> Page:
    return Page(lambda tour: tour.open(address), lambda _: "")


def _user(address: str) -> Page:
    return Page(lambda tour: tour.open(address))


def _live(game: str) -> Page:
    """A running live game, as the player to move sees it."""
    return Page(
        lambda tour: tour.open(f"/table/{tour.people.live[game][0]}"), lambda people: people.live[game][1]
    )


def _finished(game: str, show: Callable[[Tour, str], object]) -> Page:
    return Page(
        lambda tour: show(tour, tour.people.finished[game][0]), lambda people: people.finished[game][1]
    )


def _end(tour: Tour, code: str) -> None:
    tour.open(f"/table/{code}")


def _analysis(tour: Tour, code: str) -> None:
    from browser.account_walk import post  # needs Django's settings

    tour.open(post(tour, f"/analysis/table/{code}"))


PAGES: dict[str, Page] = {
    "home": _guest("/"),
    "home-signed-in": _user("/"),
    **{f"live-{game}": _live(game) for game in ("rin", "lin", "ren", "rings", "rive")},
    "correspondence": Page(lambda tour: tour.open(f"/table/{tour.people.correspondence}")),
    **{f"end-{game}": _finished(game, _end) for game in ("lin", "ren", "rin", "rings", "rive")},
    "analysis": _finished("rin", _analysis),
    "watch": _guest("/games/"),
    "profile": _user("/@ada"),
    "lobby": _user("/lobby/"),
    "play": _guest("/play/lin"),
    "tournaments": _user("/tournaments/"),
    "tournament": Page(lambda tour: tour.open(f"/tournaments/{tour.people.tournament}")),
    "puzzles": _user("/puzzles/"),
    "puzzle": Page(lambda tour: tour.follow("/puzzles/", "/puzzles/")),
    "learn": _user("/rules/"),
    "rules": _guest("/rules/lin"),
    "course": _user("/rules/lin/course"),
    "lesson": Page(lambda tour: tour.follow("/rules/lin/course", "/rules/lin/course/")),
    "ratings": _user("/ratings/"),
    "settings": _user("/me"),
    "notifications": _user("/notices/preferences"),
    "sign-up": _guest("/account/sign-up"),
}
