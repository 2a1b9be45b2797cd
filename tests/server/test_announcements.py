"""Who is called what at a table, and what is said of what they decide beside playing."""

import re
from html import unescape

import pytest

from kakomi import catalog
from kakomi.server.site.language import describe_actions
from kakomi.server.tables import services
from kakomi.server.tables.models import Seat
from kakomi.server.tables.seats import SeatView
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.wording import headline
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db


def test_the_last_position_of_a_game_stays_until_one_goes_on() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren", legs=2, size=4)
    ann.do(row, "touch a1")
    ann.do(row, "resign")
    here = {**PART, "Kakomi-Game": "1"}
    shown = bob.client.get(f"/table/{row.code}", headers=here).content.decode()
    assert "Game 1 is over. You win." in shown and 'data-game="1" data-ply="1"' in shown
    assert "Your turn" in bob.client.get(f"/table/{row.code}", {"game": 2}, headers=here).content.decode()


def test_a_declined_takeback_is_seen_by_who_asked() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    ann.do(row, "offer takeback")
    assert "You decline the takeback. Your turn" in bob.do(row, "decline")
    assert "White declines the takeback. Waiting for Bob." in ann.look(row)
    bob.do(row, "touch 2,2")
    bob.do(row, "touch 3,3")
    bob.do(row, "confirm")
    page = ann.look(row)
    assert '<p class="prompt is-yours">Your turn: place' in page and 'data-prompt="Your turn: place' in page
    assert page.count("declines") == 1 and '<li class="system">White declines the takeback.</li>' in page, (
        "the chat"
    )


def test_a_pass_is_told_as_one() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="rings", size=2)
    ann.do(row, "touch D1")
    assert "Black plays D1." in bob.look(row)
    bob.do(row, "touch pass")
    assert "White passes." in ann.look(row)


def heard(page: str) -> dict[str, str]:
    """What the script of a page knows of what people hear."""
    root = page[page.index('id="table"') :].partition(">")[0]
    return {name: unescape(text) for name, text in re.findall(r'data-(said|told|own|step)="([^"]*)"', root)}


def test_the_steps_of_ones_own_turn_are_heard_and_the_turn_before_stays() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    before = heard(bob.look(row))
    assert before == {"said": "Black plays 1,1.", "told": "1"}
    first = {"own": "1.2,2", "step": "White plays 2,2."}
    assert heard(bob.do(row, "touch 2,2")) == before | first
    second = {"own": "1.2,2 2.3,3", "step": "White plays 3,3."}
    assert heard(bob.do(row, "touch 3,3")) == before | second
    assert heard(bob.do(row, "untouch")) == before | first
    bob.do(row, "touch 3,3")
    after = {"said": "White plays 2,2 3,3.", "told": "3"}
    assert heard(bob.do(row, "confirm")) == after | second
    assert heard(ann.look(row)) == after


def test_a_bots_turn_is_heard_once_it_is_whole() -> None:
    ann = Person("Ann")
    row = opened(ann, Sitter(bot="1"), size=6)
    ann.do(row, "touch 1,1")
    before = heard(ann.look(row))
    assert before == {"said": "Black plays 1,1.", "told": "1", "own": "0.1,1", "step": "Black plays 1,1."}

    def act(action: str) -> dict[str, str]:
        base = now(row).entries
        services.add(row.code, [("play", action)], seat=1, base=base, key=f"by-hand-{base}")
        return heard(ann.look(row))

    assert act("2,2") == before
    assert act("3,3") == {"said": "White plays 2,2 3,3.", "told": "3"}


def test_actions_are_read_as_what_they_do() -> None:
    rive, rings = catalog.game("rive", size=3), catalog.game("rings", size=2)
    assert describe_actions(rive, ["a1", "b2", "xd1", "xa2"]) == "plays a1 b2, removes d1 a2"
    convert = next(action for action in rings.actions if action.kind == "convert")
    assert describe_actions(rings, [convert.text]) == f"converts {convert.cell}"
    assert describe_actions(rings, ["pass"]) == "passes"


def test_guests_without_names_are_told_apart() -> None:
    row = opened(Person(), Person(), Person(), game="rings", size=3, players=3)
    page = Person().look(row)
    assert all(f"<b>Guest {number}</b>" in page for number in (1, 2, 3))
    row = opened(Person(), Person("Bob"), game="rings", size=3)
    assert "<b>Guest</b>" in Person().look(row)


def test_who_sits_down_may_say_their_name() -> None:
    ann, bob = Person("Ann"), Person()
    row = opened(ann, Sitter())
    invitation = f"/join/{row.seats.get(number=1).invitation}"
    assert bob.client.post(invitation, {"name": "B" * 31}).status_code == 422
    assert bob.client.post(invitation, {"name": " Bob "}).status_code == 302
    assert "<b>Bob</b>" in ann.look(row)


def test_who_has_left_the_game_is_not_said_to_be_there() -> None:
    people = [Person(name) for name in ("Ann", "Bob", "Cyd")]
    row = opened(*people, game="rings", size=3, players=3)
    people[1].do(row, "resign")
    page = people[0].look(row)
    assert 'data-presence="2"' in page and 'data-presence="1"' not in page


def test_who_invites_may_say_their_name_while_they_wait() -> None:
    ann = Person()
    row = opened(ann, Sitter())
    assert 'id="own-name"' in ann.look(row)
    kept = ann.client.post("/me/preferences", {"name": "Ann", "next": f"/table/{row.code}"})
    assert kept.headers["Location"] == f"/table/{row.code}" and 'id="own-name"' not in ann.look(row)
    invitation = f"/join/{row.seats.get(number=1).invitation}"
    assert "with Ann" in Person().client.get(invitation).content.decode()


def test_who_shares_a_win_reads_of_themselves_first() -> None:
    names = ("bob", "You", "eve")
    places = [
        SeatView(Seat(number=number), name, name, is_own=name == "You", is_acting=False)
        for number, name in enumerate(names)
    ]
    assert headline((0, 1), places) == "You and bob share the win."
