"""The page of a table as its scripts keep it up (static/tables)."""

import random
import re

from kakomi.server.tables import models
from server.fragment_page import FragmentPage
from server.table_client import Person, now


class Page(FragmentPage):
    """A table's page."""

    def __init__(self, person: Person, row: models.Table) -> None:
        self.person = person
        self.items: list[str] = []
        super().__init__(person.client, f"/table/{row.code}")

    def put(self, name: str, html: str, *, is_rest: bool) -> None:
        """The list of turns may come from some turn on."""
        if name != "moves":
            return super().put(name, html, is_rest=is_rest)
        start = re.search(r'<ol start="(\d+)"', html)
        assert is_rest == bool(start)
        self.items = self.items[: int(start[1]) - 1] if start else []
        self.items += re.findall(r"<li>.*?</li>", html)
        return None

    @property
    def seen(self) -> dict[str, object]:
        """Everything that it shows, but what makes a command unique."""
        return {name: text for name, text in super().seen.items() if name != "command"} | {
            "moves": self.items
        }


def play(people: tuple[Person, ...], pages: list[Page], row: models.Table, chance: random.Random) -> bool:
    """Let whoever is to act do something that their page offers; False if the game is over."""
    table = now(row)
    if table.to_act is None:
        return False
    page = pages[table.to_act]
    actions = [action for _, action in page.targets if action]
    deed = f"touch {chance.choice(actions)}" if actions else "confirm"
    if 'value="confirm"' in page.html["actions"]:
        deed = "confirm"
    people[table.to_act].do(row, deed)
    return True
