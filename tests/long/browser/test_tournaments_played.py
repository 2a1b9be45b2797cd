"""Tournaments over days, from the form to the final standings, in a director's and an entrant's browser.

The others play through the API. `KAKOMI_PICTURES=FOLDER` takes screenshots.
"""

from collections import Counter
from itertools import combinations

import pytest

from browser.accounts import press, sign_up
from browser.camera import photograph
from browser.conftest import Invite
from browser.gathering import DAY
from browser.visitor import Visitor, expect
from server.clocked_site import ClockedSite
from server.programs import ProgramUser

PLIES = 6
"""After this many actions the player to move resigns."""
MOST_LOOKS = 40
"""The maximum number of requests until the site has done its due work."""


@pytest.fixture
def site(clocked_site: ClockedSite) -> ClockedSite:
    return clocked_site


class Field:
    """The entrants of a tournament, and its current state."""

    def __init__(self, site: ClockedSite, code: str, people: list[ProgramUser]) -> None:
        self.site, self.code = site, code
        self.people = {person.name: person for person in people}
        for person in people:
            person.ask(f"tournaments/{code}/enter", {})
        self._first = people[0]

    def look(self) -> dict:  # type: ignore[type-arg]
        """The tournament as the API returns it."""
        return self._first.ask(f"tournaments/{self.code}")  # type: ignore[no-any-return]

    def await_round(self, number: int) -> list[str]:
        """The tables of a round, once the site has paired it; none if the tournament has ended."""
        for _ in range(MOST_LOOKS):
            found = self.look()
            for part in found["rounds"]:
                if part["number"] == number:
                    return [pairing["table"] for pairing in part["pairings"]]
            if found["tournament"]["state"] == "over":
                return []
            self.site.let_work()
        raise AssertionError(f"round {number} was not paired")

    def leave(self, name: str, tables: list[str]) -> None:
        """Have somebody leave, and wait until the site has ended their game at one of these tables."""
        self.people[name].ask(f"tournaments/{self.code}/leave", {})
        for _ in range(MOST_LOOKS):
            if not any(self._is_at_play(name, code) for code in tables):
                return
            self.site.let_work()
        raise AssertionError(f"{name} left, and their game goes on")

    def _is_at_play(self, name: str, code: str) -> bool:
        table = self._first.table(code)
        return _goes_on(table) and name in [seat["person"] for seat in table["seats"]]

    def against_others(self, tables: list[str], names: set[str]) -> str:
        """A person at one of these tables that seats none of these people."""
        for code in tables:
            seated = [seat["person"] for seat in self._first.table(code)["seats"]]
            if names.isdisjoint(seated):
                return str(seated[-1])
        raise AssertionError(f"all sit with {names}")

    def play(self, tables: list[str], away: str = "") -> None:
        """Play games until somebody resigns, except for `away`, who never acts."""
        while tables:
            tables = [code for code in tables if self._acts(code, away)]

    def _acts(self, code: str, away: str) -> bool:
        """Whether somebody acted at a table."""
        table = self._first.table(code)
        if not _goes_on(table):
            return False
        name = table["seats"][table["to_act"]]["person"]
        if name == away or name not in self.people:
            return False
        person = self.people[name]
        person.act(person.table(code), "resign" if table["position"]["ply"] >= PLIES else "play")
        return True

    def meetings(self) -> Counter[tuple[int, ...]]:
        """How often each pair of entrants has sat at the same table."""
        rounds = self.look()["rounds"]
        tables = [sorted(pairing["seats"]) for part in rounds for pairing in part["pairings"]]
        return Counter(pair for seats in tables for pair in combinations(seats, 2))


def test_sixteen_play_a_swiss_and_two_drop_out(site: ClockedSite, visit: Invite) -> None:
    director = visit(reduced_motion="reduce")
    sign_up(director, "dora")
    code = _start(director, "rive", "swiss-1", name="Winter Swiss", format="swiss", rounds="4", size="4")
    entrant = visit(reduced_motion="reduce")
    sign_up(entrant, "eve")
    field = Field(site, code, _people(site, 15))
    _take_part(entrant, code)
    _begin(director, code, "swiss-2")

    leaver = "player07"
    first = field.await_round(1)
    _resign_own(entrant, code, "swiss-3")
    field.play(first)
    second = field.await_round(2)
    absent = field.against_others(second, {"eve", leaver})  # those two resign, which would end a game early
    _resign_own(entrant, code)
    field.leave(leaver, second)
    field.play(second, away=absent)
    while len(field.look()["rounds"]) == 2:  # until the absent player's clock has run out
        site.skip(DAY)
        site.let_work()
    for number in (3, 4):
        tables = field.await_round(number)
        if number == 3:
            director.page.goto(f"/tournaments/{code}")
            photograph(director, "swiss-4-third-round")
        _resign_own(entrant, code)
        field.play(tables)
    assert field.await_round(5) == []

    found = field.look()
    assert [len(part["pairings"]) for part in found["rounds"]] == [7, 7, 8, 8]
    assert max(field.meetings().values()) == 1
    status = {row["handle"]: row["status"] for row in found["standings"]}
    assert {name for name, said in status.items() if said != "present"} == {leaver, absent}
    entrant.page.goto(f"/tournaments/{code}")
    expect(entrant.page.locator("table.crosstable tbody tr")).to_have_count(16)
    expect(entrant.page.locator("tr.own")).to_contain_text("eve")
    photograph(entrant, "swiss-5-over")
    entrant.page.goto("/notices/")
    photograph(entrant, "swiss-6-notices")


def test_twelve_meet_at_tables_of_rings(site: ClockedSite, visit: Invite) -> None:
    director = visit(reduced_motion="reduce")
    sign_up(director, "dora")
    wanted = {"name": "Rings for three", "format": "tables", "seats": "3", "rounds": "3", "size": "3"}
    code = _start(director, "rings", "tables-1", **wanted)
    field = Field(site, code, _people(site, 12))
    _begin(director, code, "tables-2")
    for number in (1, 2, 3):
        tables = field.await_round(number)
        assert len(tables) == 4
        if number == 2:
            director.page.goto(f"/tournaments/{code}")
            photograph(director, "tables-3-second-round")
        field.play(tables)
    assert field.await_round(4) == []

    meetings = field.meetings()
    assert (len(meetings), max(meetings.values())) == (36, 1)
    seats = Counter(
        (entrant, seat)
        for part in field.look()["rounds"]
        for pairing in part["pairings"]
        for seat, entrant in enumerate(pairing["seats"])
    )
    assert max(seats.values()) <= 2, "nobody has one seat in all rounds"
    director.page.goto(f"/tournaments/{code}")
    expect(director.page.locator("table.crosstable tbody tr")).to_have_count(12)
    photograph(director, "tables-4-over")


def _goes_on(table: dict) -> bool:  # type: ignore[type-arg]
    """Whether a table's game is unfinished."""
    return table["phase"] != "over"


def _people(site: ClockedSite, count: int) -> list[ProgramUser]:
    return [ProgramUser(f"player{number:02}", site.port, number) for number in range(1, count + 1)]


def _start(director: Visitor, game: str, picture: str, **chosen: str) -> str:
    """Fill in the form, and return the code of the tournament."""
    page = director.page
    page.goto("/tournaments/")
    photograph(director, f"{picture}a-list")
    page.goto(f"/tournaments/new/{game}?pace={chosen.pop('pace', 'days')}&format={chosen.pop('format')}")
    for name, value in chosen.items():
        field = page.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    photograph(director, f"{picture}b-form")
    press(page, "Create tournament")
    expect(page.get_by_role("heading", level=1)).to_have_text(chosen["name"])
    return page.url.rpartition("/")[2]


def _begin(director: Visitor, code: str, picture: str) -> None:
    director.page.goto(f"/tournaments/{code}")
    photograph(director, f"{picture}-entered")
    press(director.page, "Start now")


def _take_part(entrant: Visitor, code: str) -> None:
    entrant.page.goto(f"/tournaments/{code}")
    press(entrant.page, "Join")
    expect(entrant.page.get_by_text("You’re in.")).to_be_visible()


def _resign_own(entrant: Visitor, code: str, picture: str = "") -> None:
    """Go from the tournament to one's own game, and resign it."""
    page = entrant.page
    page.goto(f"/tournaments/{code}")
    if picture:
        photograph(entrant, f"{picture}-own-game")
    page.get_by_role("link", name="Go to game").click()
    entrant.await_page("/table/")
    page.locator("#resigning summary").click()
    page.locator("#resign").click()
    expect(page.locator("#ending")).to_be_visible()
