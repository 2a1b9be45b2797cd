"""The lobby's API."""

import pytest
from django.test import Client

from kakomi.server.accounts.tokens import PREFIX, make_token
from kakomi.server.lobby.models import Seek
from kakomi.server.tables.models import Table
from server.lobby_people import somebody
from server.people import make_user
from server.test_api import V1, Program

pytestmark = pytest.mark.django_db
WISH = {"game": "rin", "options": {"size": 8}, "clock": "10+5", "key": "my-seek-1"}


def test_programs_find_each_other() -> None:
    ada, bob = Program("Ada"), Program("Bob")
    made = ada.post("/lobby/seeks", 201, **WISH)
    assert made["table"] is None and made["seek"]["is_own"]
    assert ada.post("/lobby/seeks", 201, **WISH)["seek"]["code"] == made["seek"]["code"]
    (seen,) = bob.get("/lobby/seeks?game=rin")["seeks"]
    assert (seen["people"][0]["name"], seen["sizes"], seen["obstacle"]) == ("Ada", [8], "")
    path = f"/lobby/seeks/{seen['code']}/accept"
    table = bob.post(path)["table"]
    assert table == bob.post(path)["table"] == Table.objects.get().code
    assert Program().post(path, 422)["code"] == "refused"


def test_a_key_names_one_wish() -> None:
    ada = Program("Ada")
    ada.post("/lobby/seeks", 201, **WISH)
    for other in ({"clock": "5+3"}, {"options": {"size": 4}}, {"side": "first"}, {"rating_low": 1500}):
        assert ada.post("/lobby/seeks", 422, **{**WISH, **other})["code"] == "reused"
    assert ada.post("/lobby/seeks", 201, **{**WISH, "clock": "5+3", "key": "my-seek-2"})["seek"]["is_own"]


def test_programs_play_with_anybody() -> None:
    wish = {"game": "rings", "least": 2, "most": 3}
    one, other, third = (Program() for _ in range(3))
    assert one.post("/lobby/quick", 201, **wish)["table"] is None
    assert other.post("/lobby/quick", 201, **wish)["table"] is None
    assert len(one.get("/lobby/mine")["own"][0]["people"]) == 2
    assert len(other.get("/lobby/mine")["joined"]) == 1
    assert third.post("/lobby/quick", 201, **wish)["table"]
    assert third.get("/lobby/mine") == {"own": [], "joined": [], "challenges": []}


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"game": "rings", "most": 11}, "2 to 6 players"),
        ({"game": "rings", "least": 5, "most": 3}, "can’t start"),
        ({"game": "lin", "least": 3, "most": 5}, "2 players"),
        ({"game": "rin", "sizes": [8, 99]}, "size 99"),
        ({"game": "go"}, "there is no game"),
    ],
)
def test_a_game_with_anybody_is_one_that_can_be_played(wish: dict, says: str) -> None:
    assert says in Program().post("/lobby/quick", 422, **wish)["message"]
    assert not Seek.objects.exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "go"}, "there is no game"),
        ({"clock": ""}, "Choose a time control"),
        ({"clock": "5"}, ""),
        ({"options": {"size": 99}}, "isn't possible"),
        ({"clock": "3d"}, "require an account"),
        ({"least": 3}, "can’t start"),
        ({"to": ["nobody"]}, "no player called"),
        ({"times": 2}, "Only correspondence challenges can be accepted several times"),
        ({"side": "top"}, "side"),
        ({"swap": True, "negotiate": True, "game": "lin", "options": {}}, "can’t be combined"),
        ({"options": {"players": 99}}, "no option"),
    ],
)
def test_wishes_that_cannot_be_are_refused(changes: dict, says: str) -> None:
    if says:
        problem = Program().post("/lobby/seeks", 422, **{**WISH, **changes})
        assert says.lower() in problem["message"].lower()
        assert not Seek.objects.exists()
    else:
        Program().post("/lobby/seeks", 201, **{**WISH, **changes})


def test_challenges_are_answered() -> None:
    bob = somebody("bob", account=True)
    ada = Program("Ada")
    code = ada.post("/lobby/seeks", 201, **WISH, to=["bob"])["seek"]["code"]
    assert Client().get(f"{V1}/lobby/seeks").json()["seeks"] == []
    assert Seek.objects.get().invitees.get().guest == bob
    ada.post(f"/lobby/seeks/{code}/decline", 422, reason="because")
    assert ada.get("/lobby/mine")["own"][0]["invitees"][0]["answer"] == ""
    assert ada.post(f"/lobby/seeks/{code}/withdraw")["seek"]["ending"] == "withdrawn"


def test_a_program_hears_why_it_can_t_decline() -> None:
    bearer = {"Authorization": f"Bearer {make_token(make_user('bob'), 'mine', ['lobby'])[1]}"}
    code = Program("Ada").post("/lobby/seeks", 201, **WISH, to=["bob"])["seek"]["code"]
    answers = [
        Client().post(
            f"{V1}/lobby/seeks/{code}/decline", {"reason": "clock"}, "application/json", headers=bearer
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 422]
    assert answers[1].json()["message"] == "You declined this challenge."


def test_settings_are_kept() -> None:
    ada = Program()
    assert ada.get("/lobby/settings")["challenges_from"] == "all"
    wish = {"challenges_from": "nobody", "takes_live": False, "most_games": 5}
    headers = {"Authorization": f"Bearer {ada.token}"}
    kept = Client().put(f"{V1}/lobby/settings", wish, "application/json", headers=headers)
    assert kept.status_code == 200 and kept.json() == ada.get("/lobby/settings")
    assert not kept.json()["takes_live"] and kept.json()["most_games"] == 5


@pytest.mark.parametrize(
    ("scopes", "status", "code", "says"),
    [((), 401, "who", "unknown token"), (("read",), 403, "scope", "lobby"), (("lobby",), 200, "", "")],
)
def test_the_stream_says_what_is_wrong_with_a_token(
    scopes: tuple[str, ...], status: int, code: str, says: str
) -> None:
    """The stream is a plain view, but its errors look like those of API operations."""
    text = make_token(make_user("ada"), "laptop", scopes)[1] if scopes else f"{PREFIX}unknown"
    answer = Client().get(f"{V1}/lobby/events", headers={"Authorization": f"Bearer {text}"})
    assert answer.status_code == status
    if code:
        problem = answer.json()
        assert problem["code"] == code and says in problem["message"]
        assert answer["WWW-Authenticate"].startswith("Bearer error=")


def test_the_stream_refuses_the_private_link_of_an_account() -> None:
    guest = make_user("ada").guest
    answer = Client().get(f"{V1}/lobby/events", headers={"Authorization": f"bearer {guest.token}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "who")
