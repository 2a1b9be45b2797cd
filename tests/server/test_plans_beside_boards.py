"""Plans at a table: only the owner sees them, beside the board; everyone sees what they play."""

import json
import re

import pytest

from kakomi import catalog
from kakomi.server.tables import services as tables
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, Refused
from server.sql.test_planning_services import arm, fixture_ada, fixture_ben, fixture_row, play
from server.table_client import Person

__all__ = ["fixture_ada", "fixture_ben", "fixture_row"]
pytestmark = pytest.mark.django_db


def test_a_plan_stands_beside_its_owners_board_and_nobody_elses(ada, ben, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0")
    before = row.news
    row.refresh_from_db()
    assert row.news == before, "nobody else hears that something was planned"
    assert "Your plan is on" in ada.look(row) and "3,3 0,1" in ada.look(row)
    for other in (ben, Person("Cleo")):
        assert "armed" not in other.look(row) and "3,3 0,1" not in other.look(row)
        room = other.client.get(f"/table/{row.code}/plan")
        assert "3,3 0,1" not in room.content.decode()
        shown = other.client.get(f"/api/v1/tables/{row.code}").content.decode()
        assert "3,3" not in json.dumps(json.loads(shown)["log"]) and "plan" not in shown
    play(row, "1,1 2,2")
    assert "Your plan played 3,3 0,1 after 1,1 2,2." in ada.look(row)
    assert "Your plan" not in ben.look(row)


def test_all_turns_that_came_together_are_told(ada, ben, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0")
    arm(row, ben, "1,1 2,2; 3,3 0,1; 0,2 0,3")
    play(row, "1,1 2,2")
    turns = "White plays 1,1 2,2. Black plays 3,3 0,1. White plays 0,2 0,3. Black plays 1,0 2,0."
    for person in (ada, ben, Person("Eve")):
        said = re.search(r'data-said="([^"]*)"', person.look(row))
        assert said and said[1] == turns
    answered = re.findall(r'class="plan-played">([^<]*)<', ada.look(row))
    assert answered == [
        "Your plan played 1,0 2,0 after 0,2 0,3.",
        "Your plan played 3,3 0,1 after 1,1 2,2.",
    ]
    play(row, "3,0 3,1")
    assert 'data-said="White plays 3,0 3,1."' in Person("Eve").look(row)
    assert re.findall(r'class="plan-played">([^<]*)<', ada.look(row)) == answered, "until she says all right"


def test_who_has_left_a_bot_at_their_seat_plans_no_more(ada, ben):
    terms = MatchConfig(catalog.game("rings", size=3, players=3), leavers="1")
    row = tables.begin(terms, [Sitter(person.guest) for person in (ada, ben, Person("Cyd"))])
    for number, action in enumerate(("G1", "D2", "E2")):
        tables.add(row.code, [("play", action)], seat=number, base=number, key=f"by-hand-{number}")
    assert 'id="plan-ahead"' in ada.look(row)
    tables.add(row.code, [("resign", None)], seat=0, base=3, key="by-hand-3")
    row.refresh_from_db()
    page = ada.look(row)
    assert 'id="plan-ahead"' not in page and "The bot playing for you is thinking." in page
    assert "The bot playing for Ada is thinking." in ben.look(row)
    with pytest.raises(Refused):
        arm(row, ada, "B3")
