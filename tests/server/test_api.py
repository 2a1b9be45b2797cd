"""The JSON API: what its page promises, for programs with a token and for pages with a session."""

import json
from collections import defaultdict
from typing import Any

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import OperationalError
from django.test import Client

from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors
from kakomi.server.tournaments.withdrawals import resign_or_abort

pytestmark = pytest.mark.django_db

V1 = "/api/v1"


class Program:
    """Somebody with a token."""

    def __init__(self, name: str = "") -> None:
        self._client = Client()
        reply = self._client.post(f"{V1}/guests", {"name": name}, "application/json")
        assert reply.status_code == 201
        self.token = reply.json()["token"]
        self._headers = {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, status: int = 200) -> Any:
        reply = self._client.get(V1 + path, headers=self._headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    def post(self, path: str, status: int = 200, **fields: Any) -> Any:
        reply = self._client.post(V1 + path, fields, "application/json", headers=self._headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    def ask(self, method: str, path: str) -> Any:
        ask = getattr(self._client, method)
        return ask(path, content_type="application/json", headers=self._headers)

    def opened(self, *seats: str, **fields: Any) -> Any:
        wish: dict[str, Any] = {"game": "rin", "options": {"size": 4}, "seats": list(seats or ("me", "me"))}
        return self.post("/tables", 201, **{**wish, **fields})

    def act(self, table: Any, kind: str, value: Any = None, status: int = 200, **fields: Any) -> Any:
        deed = {"kind": kind, "value": value, "base": table.get("entries"), "key": f"key-{kind}-{value}"}
        deed["key"] = deed["key"].replace(" ", "_").replace(",", "-")
        return self.post(f"/tables/{table['code']}/acts", status, **{**deed, **fields})


def test_games_are_listed_and_described() -> None:
    listed = Client().get(f"{V1}/games").json()
    assert {game["name"] for game in listed} >= {"rin", "rive", "lin", "ren", "rings"}
    small = Client().get(f"{V1}/games/rin", {"size": 4}).json()
    assert small["options"][0] | {"help": "", "presets": []} == {
        "name": "size",
        "help": "",
        "default": 16,
        "value": 4,
        "allowed": {"least": 4, "most": 18, "step": 2, "values": None},
        "presets": [],
    }
    assert len(small["points"]) == 16
    problem = Client().get(f"{V1}/games/rin", {"size": "nine"})
    assert problem.status_code == 422
    assert "size 'nine'" in problem.json()["message"]
    assert Client().get(f"{V1}/games/chess").json()["code"] == "missing"


def test_a_game_is_played_to_its_end() -> None:
    program = Program("Ada's \u202eprogram")
    table = program.opened()
    assert [seat["name"] for seat in table["seats"]] == ["Ada's program"] * 2
    plies = 0
    while table["phase"] == "play":
        assert table["may"][:1] == ["play"]
        table = program.act(table, "play", table["position"]["legal"][0], key=f"ply-number-{plies}")
        assert [entry["number"] for entry in table["log"]] == [plies + 1]
        plies += 1
    assert table["position"]["is_over"]
    assert table["ending"]["reason"] == "rules"
    assert table["to_act"] is None
    whole = program.get(f"/tables/{table['code']}")
    assert len(whole["log"]) == plies
    record = program.get(f"/tables/{table['code']}/record")
    assert record["game"] == "rin"
    assert program.get(f"/tables/{table['code']}/record?leg=2", 404)["code"] == "missing"


def test_a_program_finds_its_games_after_a_restart() -> None:
    ada, bob = Program("Ada"), Program("Bob")
    assert ada.get("/me/tables") == {"tables": [], "older": None}
    invited = ada.opened("me", "friend", clock="3d")
    alone = ada.opened("me", "me", game="lin", options={"size": 5, "line": 4})
    ada.act(ada.opened(), "resign")  # over
    both, waiting = ada.get("/me/tables")["tables"]
    assert (both["code"], both["own"], both["to_act"], both["is_your_turn"]) == (
        alone["code"],
        [0, 1],
        0,
        True,
    )
    assert both["game"] == "lin" and both["options"]["size"] == 5 and both["pace"] == ""
    assert (waiting["code"], waiting["is_waiting"], waiting["is_your_turn"]) == (invited["code"], True, False)
    assert bob.get("/me/tables")["tables"] == []
    bob.post(f"/invitations/{invited['seats'][1]['invitation']}")
    ada.act(ada.get(f"/tables/{invited['code']}"), "play", "1,1")
    (turn,) = bob.get("/me/tables")["tables"]
    assert (turn["own"], turn["to_act"], turn["is_your_turn"], turn["is_waiting"]) == ([1], 1, True, False)
    assert turn["entries"] == 2 and turn["pace"] == "days" and turn["due_at"] > 0
    assert not ada.get("/me/tables")["tables"][1]["is_your_turn"]


def test_ones_own_games_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.tables.api.MOST_OWN", 2)
    ada = Program("Ada")
    codes = [ada.opened()["code"] for _ in range(5)]
    found, place = [], ""
    while place is not None:
        page = ada.get(f"/me/tables?before={place}")
        found += [table["code"] for table in page["tables"]]
        assert len(page["tables"]) <= 2
        place = page["older"]
    assert found == codes[::-1]
    assert ada.get("/me/tables?before=x", 404)["code"] == "missing"
    assert Client().get(f"{V1}/me/tables").status_code == 401


def test_every_operation_refuses_a_parameter_that_it_does_not_know() -> None:
    program = Program()
    document = Client().get(f"{V1}/openapi.json").json()
    for path, operations in document["paths"].items():
        for method in operations:
            if path.endswith("/games/{name}"):
                continue  # whose parameters are the options of a game
            address = path.format_map(defaultdict(lambda: "1", name="rin", code="nowhere", game="rin"))
            answer = program.ask(method, f"{address}?frm=x&since=1")
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), address
            assert method != "get" or "frm: there is no such parameter" in answer.json()["message"], address
    problem = program.get("/tables?gmae=rin&before=", 422)
    assert problem["message"] == "query.gmae: there is no such parameter: there are only game, before"
    assert program.get("/me?x=1", 422)["message"].endswith("there are none here")
    assert "no option 'sise'" in program.get("/games/rin?sise=8", 422)["message"]


def test_a_game_that_ends_before_it_began_is_over() -> None:
    program = Program()
    table = program.act(program.opened("me", "friend"), "abort", "stopped")
    assert (table["phase"], table["to_act"], table["may"]) == ("over", None, [])
    assert table["ending"]["reason"] == "aborted"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "the 'value' of 'abort' is a text, and not None"),
        ("bored", "a game ends for one of these: stopped, declined, declined busy, declined clock, "),
    ],
)
def test_a_game_ends_for_a_reason_that_there_is(value: str | None, told: str) -> None:
    program = Program()
    assert told in program.act(program.opened("me", "friend"), "abort", value, 422)["message"]


def test_a_turn_is_played_whole_or_not_at_all() -> None:
    program = Program()
    table = program.act(program.opened(), "play", "1,1")
    problem = program.act(table, "play", "2,2 1,1", 422)
    assert problem["code"] == "illegal"
    assert "stone" in problem["message"]
    assert program.get(f"/tables/{table['code']}")["entries"] == 1
    table = program.act(table, "play", "2,2 3,3")
    assert [entry["value"] for entry in table["log"]] == ["2,2", "3,3"]
    assert table["to_act"] == 0


def test_a_deed_is_done_once_under_its_key_and_not_on_an_old_view() -> None:
    program = Program()
    table = program.opened()
    for _ in range(3):
        assert program.act(table, "play", "1,1")["entries"] == 1
    assert program.act(table, "play", "2,2", 409)["code"] == "stale"


def test_a_key_that_was_used_for_something_else_is_refused() -> None:
    program = Program()
    before = program.opened()
    after = program.act(before, "play", "1,1", key="a-name-of-mine")
    for table, kind, value in (
        (before, "play", "2,2"),
        (before, "resign", None),
        (after, "play", "1,1"),  # another base
        (after, "play", "2,2 3,3"),
        (after, "resign", None),
    ):
        problem = program.act(table, kind, value, 422, key="a-name-of-mine")
        assert problem["code"] == "reused"
        assert (
            "this key was already used for another command: use a new key for each command"
            in problem["message"]
        )
    assert program.act(before, "play", "1,1", key="a-name-of-mine")["entries"] == 1
    assert program.act(after, "play", "2,2 3,3", key="another-name")["entries"] == 3


def test_keys_are_their_senders_own_and_never_the_sites() -> None:
    ada, bob = Program("Ada"), Program("Bob")
    table = ada.opened("me", "friend")
    bob.post(f"/invitations/{table['seats'][1]['invitation']}")
    table = ada.act(ada.get(f"/tables/{table['code']}"), "play", "1,1", key="move-0001")
    table = bob.act(table, "play", "2,2 3,3", key="move-0001")
    played = [entry["value"] for entry in bob.get(f"/tables/{table['code']}")["log"]]
    assert played == [None, "1,1", "2,2", "3,3"]
    name = f"given-up-0-{table['entries'] + 1}"  # as the site calls an entry of its own
    table = ada.act(table, "play", "0,0 0,1", key=name)
    assert resign_or_abort(models.Table.objects.get(), 0) == "done"
    assert bob.get(f"/tables/{table['code']}")["ending"]["reason"] == "resignation"


def test_only_who_owns_a_seat_acts_for_it() -> None:
    ada, bob, eve = Program("Ada"), Program("Bob"), Program("Eve")
    table = ada.opened("me", "friend")
    assert eve.get(f"/tables/{table['code']}")["seats"][1]["invitation"] is None
    invitation = table["seats"][1]["invitation"]
    bob.post(f"/invitations/{invitation}")
    assert eve.post(f"/invitations/{invitation}", 422)["message"] == "somebody sits here already"
    assert bob.post(f"/invitations/{invitation}")["seats"][1]["is_yours"]
    assert eve.act(table, "play", "1,1", 422)["message"] == "you’re watching: only players can do that"
    assert bob.act(table, "play", "1,1", 422)["code"] == "refused"
    assert ada.act(table, "play", "1,1")["to_act"] == 1
    table = bob.get(f"/tables/{table['code']}")
    assert bob.act(table, "resign")["ending"]["winners"] == [0]


def test_spectators_watch_and_do_nothing_else() -> None:
    table = Program().opened()
    seen = Client().get(f"{V1}/tables/{table['code']}").json()
    assert seen["may"] == []
    assert not any(seat["is_yours"] for seat in seen["seats"])
    stranger = Client(enforce_csrf_checks=True)
    reply = stranger.post(f"{V1}/tables/{table['code']}/acts", {}, "application/json")
    assert (reply.status_code, reply.json()["code"]) == (401, "who")
    assert Client().get(f"{V1}/me", headers={"Authorization": "Bearer nobody"}).status_code == 401


def test_a_session_needs_the_token_against_forgery() -> None:
    guest = Guest.objects.create()
    browser = Client(enforce_csrf_checks=True)
    session = SessionStore()
    session["guest"] = guest.pk
    session.save()
    browser.cookies["sessionid"] = session.session_key
    wish = {"game": "rin", "seats": ["me", "1"]}
    forged = browser.post(f"{V1}/tables", wish, "application/json")
    assert (forged.status_code, forged.json()["code"]) == (403, "csrf")
    browser.get("/play/rin")
    token = browser.cookies["csrftoken"].value
    done = browser.post(f"{V1}/tables", wish, "application/json", headers={"X-CSRFToken": token})
    assert done.status_code == 201
    assert models.Seat.objects.filter(guest=guest).count() == 1


@pytest.mark.parametrize(
    "bot",
    [
        "cmd:touch x",
        "time:86400",
        "search:seconds=9999",
        "0",
        "111",
        "1 ",
        " 1",
        "level:3",
        "gtp:sh",
        "١",
        "",
    ],
)
def test_strangers_choose_bots_by_level_alone(bot: str) -> None:
    assert Program().post("/tables", 422, game="rin", seats=["me", bot])["code"] == "malformed"
    browser = Client()
    reply = browser.post("/play/rin", {"seat-0": "me", "seat-1": bot})
    assert reply.status_code == 422
    reply = browser.post("/play/rin", {"opponent": bot, "side": "0"})
    assert reply.status_code == 422
    assert not models.Table.objects.exists()


def test_levels_above_ten_sit_where_a_game_has_them() -> None:
    table = Program().opened(game="rive", seats=["me", "12"])
    assert [seat["bot"] for seat in table["seats"]] == ["", "12"]


def test_komi_is_negotiated_and_time_is_kept() -> None:
    program = Program()
    table = program.opened(game="lin", options={"size": 9}, negotiate=True, clock="5+3")
    assert table["phase"] == "komi"
    table = program.act(table, "komi", 6)
    table = program.act(table, "colour", 1)
    assert (table["phase"], table["options"]["komi"]) == ("play", 6)
    assert table["clock"] | {"running": None} == {
        "kind": "fischer",
        "pace": "live",
        "initial": 300.0,
        "increment": 3.0,
        "cap": 0.0,
        "periods": 0,
        "remaining": [300.0, 300.0],
        "running": None,
        "deadline": None,
        "stands_until": None,
    }


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"options": {"size": 5}}, "size 5 isn't possible"),
        ({"options": {"colour": 5}}, "no option 'colour'"),
        ({"seats": ["me", "me", "me"]}, "needs 2 seats"),
        ({"seats": ["friend", "friend"]}, "Take one of the seats yourself"),
        ({"seats": ["me", "11"]}, "a bot of level 1 to 10"),
        ({"seats": ["me", "14"], "game": "rive"}, "a bot of level 1 to 13"),
        ({"clock": "soon"}, "5+3"),
        (
            {"swap": True, "negotiate": True, "game": "lin", "options": {}},
            "Komi negotiation and colour swap can’t be combined: turn one off",
        ),
        ({"colour": "red"}, "colour"),
        ({"options": {"size": 8.0}}, "options.size"),
    ],
)
def test_what_can_not_be_opened_is_named(fields: dict[str, Any], says: str) -> None:
    wish: dict[str, Any] = {"game": "rin", "options": {"size": 4}, "seats": ["me", "me"]}
    assert says in Program().post("/tables", 422, **{**wish, **fields})["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b"null",
        b"NaN",
        b'{"name": "\\ud800"}',
        b'{"name": "\\u0000"}',
        b"[" * 50_000,
        b"\xff",
    ],
)
def test_a_body_is_an_object_in_json(body: bytes) -> None:
    reply = Client().generic("POST", f"{V1}/guests", body, "application/json")
    assert (reply.status_code, reply.json()["code"]) == (400, "malformed")
    assert not Guest.objects.exists()


@pytest.fixture
def session() -> Client:
    """A browser with a session, which reads the answer even if something broke."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    store = SessionStore()
    store["guest"] = Guest.objects.create(name="Ada").pk
    store.save()
    client.cookies["sessionid"] = store.session_key
    client.cookies["csrftoken"] = TOKEN
    return client


TOKEN = "t" * 32


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "multipart/form-data; boundary=" + "x" * 300,
        "multipart/form-data; boundary=é",
        "application/x-www-form-urlencoded",
        "application/json; charset=utf-7",
        "text/plain",
        "",
    ],
)
def test_a_body_is_json_whatever_it_is_said_to_be(session: Client, kind: str) -> None:
    wish = json.dumps({"game": "rin", "options": {"size": 4}, "seats": ["me", "me"]})
    opened = session.post(f"{V1}/tables", wish, kind, headers={"X-CSRFToken": TOKEN})
    assert opened.status_code == 201 and opened.json()["entries"] == 0
    forged = session.post(f"{V1}/tables", f"csrfmiddlewaretoken={TOKEN}", kind)
    assert (forged.status_code, forged.json()["code"]) == (403, "csrf")


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "code"),
    [
        ("get", f"{V1}/nowhere", {}, 404, "missing"),
        ("get", "/api/v2/games", {}, 404, "missing"),
        ("get", f"{V1}/tables/no%20code", {}, 422, "malformed"),
        ("delete", f"{V1}/tables", {}, 405, "method"),
        ("post", f"{V1}/lobby/events", {}, 405, "method"),
        ("post", f"{V1}/tables/nowhere/events", {}, 405, "method"),
        ("get", f"{V1}/games", {"Host": "elsewhere.example"}, 400, "malformed"),
    ],
)
def test_programs_get_problems_in_json(
    session: Client, method: str, path: str, headers: dict[str, str], status: int, code: str
) -> None:
    answer = getattr(session, method)(path, headers={"X-CSRFToken": TOKEN, **headers})
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (status, "application/json")
    assert answer.json()["code"] == code and answer.json()["message"]
    if status == 405:
        assert answer["Allow"] and answer["Allow"] in answer.json()["message"]


@pytest.mark.parametrize(
    ("error", "status", "code"), [(RuntimeError("no"), 500, "broken"), (OperationalError(), 503, "away")]
)
def test_programs_hear_in_json_that_something_broke(
    session: Client, error: Exception, status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(selectors, "find_table", broken)
    answer = session.get(f"{V1}/tables/nowhere")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers.get("Retry-After", "") == ("2" if status == 503 else "")


def test_a_body_there_must_be() -> None:
    reply = Client().generic("POST", f"{V1}/guests", b"", "application/json")
    assert (reply.status_code, reply.json()["code"]) == (422, "malformed")


def test_the_examples_of_the_document_work() -> None:
    document = Client().get(f"{V1}/openapi.json").json()
    examples = {
        name: schema["examples"][0]
        for name, schema in document["components"]["schemas"].items()
        if "examples" in schema
    }
    program = Program(examples["GuestIn"]["name"])
    table = program.post("/tables", 201, **examples["TableIn"])
    assert program.post(f"/tables/{table['code']}/acts", **examples["ActIn"])["entries"] == 1
    assert selectors.table_of(models.Table.objects.get()).entries == 1
