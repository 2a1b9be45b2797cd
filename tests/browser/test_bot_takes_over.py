"""Three people play Rings, each in a browser; one resigns, and a bot replaces them to the end."""

from typing import TYPE_CHECKING

from browser.account_walk import join
from browser.camera import photograph
from browser.conftest import Invite
from browser.gathering import Company, seek
from browser.visitor import Visitor, expect, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator

NAMES = ("ada", "bob", "cyd")
LEAVER = "cyd"
_ARE_RATED = """async (profiles) => {
  const pages = await Promise.all(profiles.map(async (path) => (await fetch(path)).text()));
  return pages.every((page) => page.includes("/ratings/rings/small/days/@"));
}"""


def test_a_bot_plays_on_for_who_leaves(visit: Invite) -> None:
    people = {name: visit(reduced_motion="reduce") for name in NAMES}
    handles = {name: join(visitor, name.capitalize()) for name, visitor in people.items()}
    company = _gather(people)
    for _ in range(6):
        company.act()
    colour = _leave(company)
    stayed = people["ada"]
    before = _turns_of(stayed, colour)
    for _ in range(4):
        company.act()
    assert _turns_of(stayed, colour) > before, "the bot plays"
    photograph(stayed, "bot-04-plays")
    photograph(people[LEAVER], "bot-05-for-who-left")
    company.play_out()
    expect(stayed.page.locator("#ending")).to_have_text("The bot playing for Cyd wins.")
    expect(stayed.page.locator(".rating")).to_have_text(["new"] * 3)
    photograph(stayed, "bot-06-over")
    gone = people[LEAVER].page
    expect(gone.locator("#ending")).to_have_text("The bot playing for you wins.")
    profiles = [f"/@{handle}" for handle in handles.values()]
    until(gone, _ARE_RATED, profiles)
    gone.goto(f"/ratings/rings/small/days/@{handles[LEAVER]}")
    assert gone.locator("tr.own > td").all_inner_texts()[-3] == "3", "behind all who stayed"


def _gather(people: dict[str, Visitor]) -> Company:
    ada, *others = people.values()
    seek(ada, "rings", 3, "3d", players=3, leavers="1")
    for visitor in others:
        visitor.page.goto("/lobby/")
        of_ada = visitor.page.locator("#seeks .seek", has_text="Ada")  # another test has a seek by Ada too
        found = of_ada.filter(has_text="a level 1 bot takes over if a player leaves")
        found.get_by_role("button", name="Join").click()
    for visitor in people.values():
        visitor.await_page("/table/")
        expect(visitor.page.locator(".table-head")).to_contain_text("a level 1 bot takes over")
    photograph(ada, "bot-01-table")
    return Company(people, seed=7)


def _leave(company: Company) -> str:
    """Let a player leave the game, and return the name of their stones."""
    gone = company.people[LEAVER]
    entries = max(int(sitting.look().mark.partition("/")[0]) for sitting in company.sittings.values())
    until(gone.page, "(least) => Number(document.getElementById('table').dataset.entries) >= least", entries)
    del company.sittings[LEAVER]
    gone.page.locator("#resigning summary").click()
    photograph(gone, "bot-02-resigning")
    gone.page.locator("#resign").click()
    for visitor in company.people.values():
        expect(_place(visitor)).to_have_count(1)
    for possible in ("#ending", "#resign", "#plan-ahead"):
        expect(gone.page.locator(possible)).to_have_count(0)
    photograph(gone, "bot-03-left")
    return _place(gone).locator("small").first.inner_text().partition(" ")[0]


def _place(visitor: Visitor) -> "Locator":
    """The bot's seat on the page."""
    return visitor.page.locator(".player", has_text="left: replaced by a level 1 bot")


def _turns_of(visitor: Visitor, colour: str) -> int:
    return visitor.page.locator("#moves .stone", has_text=colour).count()
