"""Who is new to a game sees aids on the board until they know it, or switch them."""

import pytest

from server.table_client import PART, Person, opened

pytestmark = pytest.mark.django_db
AIDS = {
    "rin": ("immune",),
    "rive": ("capture",),
    "lin": ("territory",),
    "ren": ("rui",),
    "rings": ("conversions", "majority"),
}


def switched_on(page: str) -> set[str]:
    """The aids that are on, by their switches."""
    inputs = [part.split(">")[0] for part in page.split('<input type="checkbox"')[1:]]
    names = {part.split('id="')[1].split('"')[0] for part in inputs if part.endswith(" checked")}
    return {name for name in names if name.startswith("overlay-") or name in ("look-dotted", "look-hinted")}


def finished(person: Person, game: str, times: int) -> None:
    """Some games that a person resigns."""
    for _ in range(times):
        person.do(opened(person, Person(), game=game), "resign")


@pytest.mark.parametrize("game", AIDS)
def test_a_newcomer_has_the_aids_of_a_game(game: str) -> None:
    ann = Person("Ann")
    page = ann.look(opened(ann, Person(), game=game))
    assert {f"overlay-{name}" for name in AIDS[game]} | {"look-hinted"} <= switched_on(page)
    assert ("data-legal" in page) == (game == "rive")


def test_aids_are_off_for_who_has_finished_three_games_of_that_game() -> None:
    ann = Person("Ann")
    finished(ann, "rive", 2)
    row = opened(ann, Person(), game="rive")
    assert "overlay-capture" in switched_on(ann.look(row))
    ann.do(row, "resign")
    assert switched_on(ann.look(opened(ann, Person(), game="rive"))) == set()
    assert "overlay-immune" in switched_on(ann.look(opened(ann, Person(), game="rin")))


def test_what_somebody_has_switched_stays_as_they_have_put_it() -> None:
    ann = Person("Ann")
    row = opened(ann, Person(), game="rive")
    ann.client.post(f"/table/{row.code}/look", {"turned": "0", "overlay": "groups"}, headers=PART)
    assert switched_on(ann.look(row)) == {"overlay-groups"}
    finished(ann, "rive", 3)
    assert switched_on(ann.look(opened(ann, Person(), game="rive"))) == {"overlay-groups"}


def test_an_analysis_shows_aids_only_where_they_were_switched_on() -> None:
    ann = Person("Ann")
    page = ann.client.get("/analysis/position/rive?size=3", follow=True).content.decode()
    assert "show-capture" not in switched_on(page)


def test_a_newcomer_is_told_what_to_do_and_where_the_rules_say_so() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="rive", size=3)
    page = ann.look(row)
    assert "Play on a dotted cell: cells with no stone next to them" in page and 'data-rule="V3"' in page
    assert '<a class="rule-link" href="/rules/rive#rule-V3" data-rule="V3">Placing a stone</a>' in page
    assert 'data-text="/rules/rive/text"' in page
    waiting = bob.look(row)
    assert '<p class="guide"></p>' in waiting and "data-rule" not in waiting
    assert 'class="guide"' not in Person("Cyd").look(row)
    finished(ann, "rive", 3)
    known = ann.look(row)
    assert 'class="guide"' not in known and 'data-rule="V3"' in known


def test_a_refusal_leads_to_the_rule_that_it_cites() -> None:
    ann = Person("Ann")
    row = opened(ann, Person(), game="rive", size=3)
    ann.do(row, "touch c3")
    answer = ann.send(opened(ann, Person(), game="rive", size=3), "touch xc3").content.decode()
    assert '<a class="rule-link" href="/rules/rive#rule-V4" data-rule="V4">Capturing</a>' in answer
