"""A Swiss, a round robin and a knock-out of five people, each in a browser, and what they all see.

In each, one person is reading the rules when a round begins, one is late, one leaves and one misses a game.
`KAKOMI_PICTURES=FOLDER` takes screenshots of every step.
"""

import re
from collections.abc import Mapping

import pytest

from browser.accounts import press, sign_up
from browser.camera import photograph
from browser.conftest import Invite
from browser.gathering import Company
from browser.visitor import Visitor, expect
from long.browser.test_tournaments_played import MOST_LOOKS, _begin, _start, _take_part
from server.clocked_site import ClockedSite

NAMES = ("ada", "bob", "cat", "dan", "eve")
TOO_LONG = 400
"""More seconds than a first action may take."""


@pytest.fixture
def site(clocked_site: ClockedSite) -> ClockedSite:
    return clocked_site


class Story:
    """A tournament and the people in it; Ada directs it."""

    def __init__(self, site: ClockedSite, visit: Invite, name: str, **wanted: str) -> None:
        self.site, self.name, self._moment = site, name, 0
        self.people: Mapping[str, Visitor] = {name: visit(reduced_motion="reduce") for name in NAMES}
        for person, visitor in self.people.items():
            sign_up(visitor, person)
        self.code = _start(self["ada"], "rive", f"{name}-form", name=name, size="4", pace="live", **wanted)
        self.path = f"/tournaments/{self.code}"

    def __getitem__(self, name: str) -> Visitor:
        return self.people[name]

    def see(self, moment: str, *names: str) -> None:
        """Take screenshots of people's pages, by default of everybody's."""
        self._moment += 1
        for name in names or NAMES:
            picture = f"{self.name}-{self._moment:02}-{moment}-{name}".replace(" ", "-")
            photograph(self[name], picture, ["desktop"], ["light"])

    def go(self, *names: str, to: str = "") -> None:
        """Have people open the tournament's page, or another one."""
        for name in names or NAMES:
            self[name].page.goto(to or self.path)

    def own_table(self, name: str) -> str:
        """The table of a person's current game; empty if they have none."""
        page = self[name].page
        page.goto(self.path)
        own = page.locator("[data-own-game]")
        return str(own.first.get_attribute("data-own-game")) if own.count() else ""

    def games(self) -> dict[str, list[str]]:
        """The players of each current game, by table."""
        seated: dict[str, list[str]] = {}
        for name in NAMES:
            if table := self.own_table(name):
                seated.setdefault(table, []).append(name)
        return seated

    def sit_down(self, table: str, names: list[str]) -> None:
        self.go(*names, to=f"/table/{table}")

    def play(self, names: list[str], turns: int = 2) -> None:
        """Have the two players at a table act a few times each."""
        company = Company({name: self[name] for name in names}, seed=1)
        for _ in range(turns * len(names)):
            company.act()

    def resign(self, name: str) -> None:
        page = self[name].page
        page.locator("#resigning summary").click()
        page.locator("#resign").click()
        expect(page.locator("#ending")).to_be_visible()

    def leave(self, name: str, moment: str) -> None:
        """Press Leave on the tournament's page, see the consequences, and confirm."""
        page = self[name].page
        page.goto(self.path)
        page.locator("#leaving summary").click()
        self.see(moment, name)
        page.locator("#leaving button.danger").click()
        expect(page.get_by_text("You’re in.")).to_have_count(0)

    def miss(self, looking: str) -> None:
        """Let the time for a first action run out, while somebody watches until a game has ended."""
        self.site.skip(TOO_LONG)
        expect(self[looking].page.locator("#ending")).to_be_visible()

    def await_round(self, number: int) -> None:
        """Wait until a round is paired, or the tournament is over."""
        page = self["ada"].page
        for _ in range(MOST_LOOKS):
            page.goto(self.path)
            if page.locator(f"#round-{number}").count() or self.is_over():
                return
            self.site.let_work()
        raise AssertionError(f"round {number} was not paired")

    def is_over(self) -> bool:
        return self["ada"].page.locator(".badge").first.inner_text() == "over"

    def finish_round(self) -> None:
        """Have one player of each current game resign."""
        for table, names in self.games().items():
            self.sit_down(table, names)
            self.resign(names[0])

    def look_back(self) -> None:
        """Look at the end on the tournament's page, in notices, on the home page and in profiles."""
        self.go()
        self.see("over")
        for moment, address in {"notices": "/notices/", "home": "/"}.items():
            self.go(to=address)
            self.see(moment)
        for name in NAMES:
            self.go(name, to=f"/@{name}")
        self.see("profile")


def test_a_swiss(site: ClockedSite, visit: Invite) -> None:
    story = Story(site, visit, "swiss", format="swiss", rounds="3")
    for name in ("ada", "bob", "cat", "dan"):
        _take_part(story[name], story.code)
    story.go("eve", to="/tournaments/")
    story.see("entered")
    story.go("bob", to="/rules/rive")
    _begin(story["ada"], story.code, "swiss-begin")
    expect(story["bob"].page.locator("#come")).to_contain_text("Your game in swiss has started: round 1.")
    story.go("eve")
    story.see("round-1")
    _take_part(story["eve"], story.code)
    story.see("entered-late", "eve")

    games = story.games()
    for table, names in games.items():
        story.sit_down(table, names)
        story.play(names)
    story.see("playing")
    first, second = games.values()
    story.resign(first[0])
    expect(story[first[1]].page.locator("#way-on")).to_have_text("Round 2 starts after one more game")
    story.see("one-game-over")
    story.go("eve", to="/rules/rin")
    story.resign(second[0])
    expect(story[first[1]].page.locator("#way-on")).to_have_text(
        re.compile("Your next game has started|Go to the tournament|Final")
    )
    story.see("round-2-begins")

    games = story.games()
    assert len(games) == 2, games
    for table, names in games.items():
        story.sit_down(table, names)
    (stays, leaves), (early, late) = games.values()
    if leaves == "ada":
        stays, leaves = leaves, stays
    story.leave(leaves, "leaving")
    expect(story[stays].page.locator("#ending")).to_be_visible()
    story.see("left", stays, leaves)
    story.miss(early)
    story.see("missed", early, late)
    story.await_round(3)
    story.go()
    story.see("round-3")
    story.go(early, late)
    for name in (early, late):
        if story[name].page.get_by_role("button", name="Rejoin").count():
            story.see("may-return", name)
            press(story[name].page, "Rejoin")
            story.see("returned", name)
    story.finish_round()
    story.await_round(4)
    assert story.is_over()
    story.look_back()


def test_a_round_robin(site: ClockedSite, visit: Invite) -> None:
    story = Story(site, visit, "league", format="round robin")
    for name in NAMES:
        _take_part(story[name], story.code)
    story.go("cat", to="/rules/rive")
    _begin(story["ada"], story.code, "league-begin")
    story.see("round-1")
    games = story.games()
    for table, names in games.items():
        story.sit_down(table, names)
    missed, played = sorted(games.values(), key=lambda names: "cat" not in names)
    if "cat" in missed:
        story.go("cat", to="/rules/rive")
    story.play(played, turns=1)
    story.miss(next(name for name in missed if name != "cat"))
    story.see("missed")
    story.go(*missed)
    story.see("after-missing", *missed)
    for name in missed:
        if story[name].page.get_by_role("button", name="Rejoin").count():
            press(story[name].page, "Rejoin")
            expect(story[name].page.get_by_text("You’re in.")).to_be_visible()
            story.see("returned", name)
    story.go(*played)
    for table, names in story.games().items():
        story.sit_down(table, names)
        story.resign(names[-1])
    story.await_round(2)
    games = story.games()
    for table, names in games.items():
        story.sit_down(table, names)
        story.play(names)
    leaver = next(name for names in games.values() for name in names if name != "ada")
    story.leave(leaver, "leaving")
    story.go()
    story.see("left")
    for number in range(3, 7):
        story.finish_round()
        story.await_round(number)
        if number == 3:
            story.go()
            story.see("round-3")
    assert story.is_over()
    story.look_back()


def test_a_knock_out(site: ClockedSite, visit: Invite) -> None:
    story = Story(site, visit, "cup", format="knock-out")
    for name in ("ada", "bob", "cat", "dan"):
        _take_part(story[name], story.code)
    story.go("bob", to="/rules/rive")
    _begin(story["ada"], story.code, "cup-begin")
    expect(story["bob"].page.locator("#come")).to_contain_text("Your game in cup has started")
    story.go("eve")
    story.see("semi-finals")
    games = story.games()
    for table, names in games.items():
        story.sit_down(table, names)
    (early, late), played = games.values()
    story.play(played, turns=1)
    story.miss(early)
    story.see("missed")
    story.go(early, late)
    story.see("after-missing", early, late)
    story.go(*played)
    for table, names in story.games().items():
        story.sit_down(table, names)
        story.resign(names[0])
        story.see("knocked-out", *names)
    story.await_round(2)
    story.go()
    story.see("final")
    ((table, names),) = story.games().items()
    story.sit_down(table, names)
    story.play(names)
    story.leave(names[0], "leaving-the-final")
    story.await_round(3)
    assert story.is_over()
    story.look_back()
