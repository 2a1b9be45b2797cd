"""The tournaments' API."""

from typing import Any

import pytest
from django.test import Client

from kakomi.contest.tournament import Ladder, Swiss, standings
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import make_bot
from kakomi.server.accounts.tokens import make_token
from kakomi.server.tournaments import logs, services
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.terms import format_of
from server.people import make_user
from server.test_api import V1, Program
from server.tournament_people import entered, go_on, going_games, organised, play, play_round

pytestmark = pytest.mark.django_db


def asked(user: User, path: str, *scopes: str, method: str = "get") -> Any:
    """Send a request with a user's token, and return the response."""
    name = f"engine {user.tokens.count()}"
    token = make_token(user, name, list(scopes), 90)[1]
    return getattr(Client(), method)(V1 + path, headers={"Authorization": f"Bearer {token}"})


def test_a_bot_enters_where_bots_may_and_leaves() -> None:
    bot = make_bot(make_user("owner"), "robot")
    closed = organised()
    refused = asked(bot, f"/tournaments/{closed.code}/enter", "read", "lobby", method="post")
    assert (refused.status_code, refused.json()["code"]) == (422, "refused")
    row = organised(takes_bots=True, config=Swiss(rounds=2))
    path = f"/tournaments/{row.code}/enter"
    for _ in range(2):
        answer = asked(bot, path, "read", "lobby", method="post")
        assert answer.status_code == 200 and answer.json()["own"] == 1
    entered(row, 3)
    go_on(row)
    left = asked(bot, f"/tournaments/{row.code}/leave", "read", "lobby", method="post").json()
    assert left["own"] is None
    go_on(row)
    seen = asked(bot, f"/tournaments/{row.code}", "read").json()
    assert [each["status"] for each in seen["standings"] if each["handle"] == "robot"] == ["withdrawn"]


def test_a_token_that_may_only_read_enters_nothing() -> None:
    row = organised()
    user = make_user("ada")
    assert asked(user, f"/tournaments/{row.code}/enter", "read", method="post").status_code in (401, 403)
    assert not row.entrants.exists()
    assert Program("Guest").post(f"/tournaments/{row.code}/enter", 422)["code"] == "refused"


def test_all_of_a_tournament_is_told() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 5)
    program = Program()
    assert [each["code"] for each in program.get("/tournaments")["open"]] == [row.code]
    go_on(row)
    play_round(row)
    assert [each["present"] for each in program.get("/tournaments")["running"]] == [5]
    seen = program.get(f"/tournaments/{row.code}")
    assert seen["tournament"]["format"]["format"] == "swiss" and seen["tournament"]["state"] == "running"
    first = seen["rounds"][-1]
    assert [pairing["places"] for pairing in first["pairings"]] == [[1, 2], [1, 2]]
    assert len(first["byes"]) == 1 and len(seen["standings"]) == 5
    assert program.get("/tournaments/nosuch", 404)["code"] == "missing"


def test_a_program_challenges_on_a_ladder_and_declines() -> None:
    row = organised(config=Ladder())
    go_on(row)
    entered(row, 2)
    user = make_user("ada")
    services.challenge(row, *_low_and_high(row))  # so that newcomers begin at the foot
    path = f"/tournaments/{row.code}"
    seen = asked(user, f"{path}/enter", "read", "lobby", method="post").json()
    assert len(seen["challengeable"]) == 0, "both of them play"
    table = seen["rounds"][0]["pairings"][0]["table"]
    refused = asked(user, f"{path}/decline/{table}", "read", "lobby", method="post")
    assert (refused.status_code, refused.json()["code"]) == (422, "refused")
    play(going_games(row)[0])
    seen = asked(user, path, "read").json()
    assert len(seen["challengeable"]) == 2
    for _ in range(2):
        answer = asked(user, f"{path}/challenge/{seen['challengeable'][0]}", "read", "lobby", method="post")
        assert answer.status_code == 200 and len(answer.json()["rounds"]) == 2
    table = answer.json()["rounds"][0]["pairings"][0]["table"]
    over = asked(user, f"{path}/decline/{table}", "read", "lobby", method="post").json()
    assert sorted(over["rounds"][0]["pairings"][0]["places"]) == [1, 2]


def _low_and_high(row: Tournament) -> tuple[Guest, int]:
    """The guest on the second rung, and the number of the entrant on the first."""
    row.refresh_from_db()
    high, low = [int(each.entrant) for each in standings(logs.log_of(row), format_of(row), row.seed)]
    guest = row.entrants.get(number=low).guest
    assert guest is not None
    return guest, high
