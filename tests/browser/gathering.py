"""People who gather in the lobby for a game over days, and what they do at its table, each in a browser."""

import random
import time
from collections.abc import Mapping

from browser.accounts import press
from browser.opening import choose_size
from browser.sitting import Sitting
from browser.visitor import PATIENCE, Visitor, expect

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


def seek(
    visitor: Visitor, game: str, size: int, clock: str, *switches: str, players: int = 2, leavers: str = ""
) -> None:
    """Look for a rated game over days, on the page that asks for its terms.

    `leavers` is the level of the bot that plays on for who leaves; empty: nobody does.
    """
    page = visitor.page
    page.goto(f"/lobby/new/{game}")
    if players > 2:
        page.locator(f"[name=players][value='{players}']").check()
        expect(page.locator("[name=least]")).to_have_count(players - 1)
    choose_size(page, size)
    page.locator("[name=clock][value=days]").check()
    page.locator("#clock_days").select_option(clock)
    if leavers:
        page.locator("#leavers").select_option(leavers)
    for name in ("is_rated", *switches):
        page.locator(f"[name={name}]").check()
    press(page, "Look for it")
    expect(page.locator("#lobby-mine")).to_contain_text("You wait for")


class Company:
    """Those who sit at one table, by their names."""

    def __init__(self, people: Mapping[str, Visitor], seed: int) -> None:
        self.people = people
        self.sittings = {name: Sitting(visitor) for name, visitor in people.items()}
        self._chance = random.Random(seed)

    def to_act(self) -> str:
        """Wait until it is somebody's turn; who that is, or nobody once the game is over."""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            for name, sitting in self.sittings.items():
                sight = sitting.look()
                if sight.is_over:
                    return ""
                if sight.is_mine:
                    return name
            time.sleep(0.01)
        raise AssertionError("it is nobody's turn")

    def act(self) -> str:
        """Do something that is possible, for whoever is to act; who that was."""
        name = self.to_act()
        if name:
            sitting = self.sittings[name]
            sitting.click(self.choice(sitting.look().choices()))
        return name

    def choice(self, offered: list[str]) -> str:
        """One of them by lot."""
        return self._chance.choice(offered)

    def act_until(self, name: str) -> None:
        """Go on until it is somebody's turn."""
        while self.to_act() != name:
            assert self.act(), "the game is over"

    def play_out(self) -> str:
        """Go on to the end; who acted last."""
        last = ""
        while name := self.act():
            last = name
        return last
