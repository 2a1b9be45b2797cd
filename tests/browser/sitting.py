"""A visitor at a table: the possible actions, and playing them by mouse or keyboard."""

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from browser.visitor import Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

_LOOK = """() => {
  const table = document.getElementById("table");
  const buttons = [...table.querySelectorAll("#confirm, [id^=off-], #name-komi, [id^=colour-]")];
  return {
    mark: [table.dataset.entries, table.querySelector("[name=seen]").value].join("/"),
    is_over: "over" in table.dataset,
    is_mine: "playing" in table.dataset || "complete" in table.dataset || buttons.length > 0,
    targets: [...table.querySelectorAll("#board .target[data-action]")].map((target) => target.id),
    buttons: buttons.map((button) => button.id),
  };
}"""
_IS_SETTLED = f"""() => {{
  const look = ({_LOOK})();
  return !table.hasAttribute("aria-busy") && (look.is_over || look.is_mine);
}}"""
_WAYS = """() => {
  const ways = (target) => ["up", "down", "left", "right"].filter((way) => target.dataset[way])
    .map((way) => [way, `board-${target.dataset[way]}`]);
  return Object.fromEntries([...document.querySelectorAll("#board .target")].map((at) => [at.id, ways(at)]));
}"""
_KEYS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}


@dataclass(frozen=True)
class Sight:
    """The state of a table as shown to its visitor."""

    mark: str
    """A value that changes with every action."""
    is_over: bool
    is_mine: bool
    targets: list[str]
    buttons: list[str]

    def choices(self) -> list[str]:
        """The ids of possible choices, without passing if there are others."""
        if "confirm" in self.buttons:
            return ["confirm"]
        return self.targets + [name for name in self.buttons if name != "off-pass" or not self.targets]


class Sitting:
    """A visitor's page with a table on it."""

    def __init__(self, visitor: Visitor, page: "Page | None" = None) -> None:
        self.visitor = visitor
        self.page = page or visitor.page

    def look(self) -> Sight:
        """The current state of the table."""
        return Sight(**self.page.evaluate(_LOOK))

    def await_turn(self) -> Sight:
        """Wait until it is the visitor's turn or the game is over, and return the state."""
        until(self.page, _IS_SETTLED)
        return self.look()

    def click(self, name: str) -> None:
        """Click a target or a button and wait for its effect."""
        before = self.look().mark
        self.page.locator(f"[id='{name}']").click()
        self.await_other_than(before)

    def press(self, name: str) -> None:
        """Do the same with the keyboard: arrow keys to a point, a shortcut or Tab to a button."""
        before = self.look().mark
        if name.startswith("board-"):
            self.walk(name)
            self.page.keyboard.press("Enter")
        elif name == "confirm":
            self.page.keyboard.press("Enter")
        elif name.startswith("off-"):
            self.page.keyboard.press(name[4])
        else:
            self.visitor.tab_to(f"#{name}")
            self.page.keyboard.press("Enter")
        self.await_other_than(before)

    def walk(self, target: str) -> None:
        """Move the focus to a point with the arrow keys, from anywhere on the board."""
        if not self.page.evaluate("document.activeElement.matches('#board .target')"):
            self.visitor.tab_to("#board .target")
        ways: dict[str, list[tuple[str, str]]] = self.page.evaluate(_WAYS)
        for way in _route(ways, self.focus(), target):
            self.page.keyboard.press(_KEYS[way])
        assert self.focus() == target

    def focus(self) -> str:
        """The id of the focused element."""
        return str(self.page.evaluate("document.activeElement.id"))

    def await_other_than(self, mark: str) -> None:
        """Wait until the table's mark differs from the given one."""
        until(self.page, f"(mark) => !table.hasAttribute('aria-busy') && ({_LOOK})().mark !== mark", mark)

    def play_on(self, chance: random.Random, *, by_keys: bool = False, turns: int = 10_000) -> int:
        """Make random choices until the game is over, at most `turns`, and return their number."""
        do = self.press if by_keys else self.click
        for done in range(turns):
            sight = self.await_turn()
            if sight.is_over:
                return done
            do(chance.choice(sight.choices()))
        return turns


def _route(ways: dict[str, list[tuple[str, str]]], start: str, goal: str) -> Iterable[str]:
    """The directions of the shortest route from one point to another."""
    came: dict[str, tuple[str, str]] = {}
    waiting = deque([start])
    while waiting and goal not in came and start != goal:
        here = waiting.popleft()
        for way, there in ways[here]:
            if there not in came and there != start:
                came[there] = (here, way)
                waiting.append(there)
    route: list[str] = []
    while goal != start:
        assert goal in came, f"the arrow keys don't lead from {start} to {goal}"
        goal, way = came[goal]
        route.append(way)
    return reversed(route)
