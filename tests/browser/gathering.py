"""People who gather in the lobby for a correspondence game and play it, each in a browser."""

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
    """Seek a rated correspondence game on the page for its terms.

    `leavers` is the level of the bot that replaces players who leave; empty for none.
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
    press(page, "Create challenge")
    expect(page.locator("#lobby-mine")).to_contain_text("Waiting for an opponent")


class Company:
    """The players at one table, by name."""

    def __init__(self, people: Mapping[str, Visitor], seed: int) -> None:
        self.people = people
        self.sittings = {name: Sitting(visitor) for name, visitor in people.items()}
        self._chance = random.Random(seed)

    def to_act(self) -> str:
        """Wait until it is a player's turn, and return their name, or an empty text once the game is over."""
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
        """Make a random legal choice for the player to act, and return their name."""
        name = self.to_act()
        if name:
            sitting = self.sittings[name]
            sitting.click(self.choice(sitting.look().choices()))
        return name

    def choice(self, offered: list[str]) -> str:
        """A random one of the offered choices."""
        return self._chance.choice(offered)

    def act_until(self, name: str) -> None:
        """Play on until it is the given player's turn."""
        while self.to_act() != name:
            assert self.act(), "the game is over"

    def play_out(self) -> str:
        """Play to the end, and return the name of the last player to act."""
        last = ""
        while name := self.act():
            last = name
        return last
