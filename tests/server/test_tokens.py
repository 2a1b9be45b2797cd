"""API tokens: hashed, scoped, shown once, ended at once; and that every operation says what it needs."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.test import Client
from ninja.constants import NOT_SET
from ninja.operation import Operation

from kakomi import catalog
from kakomi.server.accounts import tokens
from kakomi.server.accounts.auth import Token, guests
from kakomi.server.accounts.models import ApiToken, Guest, User
from kakomi.server.accounts.services import make_bot
from kakomi.server.accounts.tokens import SCOPES
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, Refused, TimeControl
from server.people import make_user

pytestmark = pytest.mark.django_db

V1 = "/api/v1"
TABLE = {"game": "rin", "options": {"size": 4}, "seats": ["me", "me"]}


def operations() -> Iterator[Operation]:
    from kakomi.server.api_v1 import api

    for _, router in api._routers:
        for view in router.path_operations.values():
            yield from view.operations


def sent(token: str, method: str = "get", path: str = "/me", body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    return (
        getattr(Client(), method)(V1 + path, body, "application/json", headers=headers)
        if body
        else getattr(Client(), method)(V1 + path, headers=headers)
    )


def made(user: User, *scopes: str, name: str = "laptop", days: int | None = None) -> str:
    return tokens.make_token(user, name, scopes or ("read",), days)[1]


def test_every_operation_says_what_it_needs() -> None:
    found = list(operations())
    assert len(found) > 10
    for operation in found:
        assert operation.auth_param is not NOT_SET, (
            f"{operation.view_func.__name__}: auth=guests(SCOPE), or None"
        )
        if operation.auth_param is not None:
            asked = {check.scope for check in operation.auth_callbacks if isinstance(check, Token)}
            assert len(asked) == 1 and asked <= set(SCOPES), operation.view_func.__name__
    with pytest.raises(ValueError, match="no scope 'plya'"):
        guests("plya")


def test_the_document_names_scopes() -> None:
    paths = Client().get(f"{V1}/openapi.json").json()["paths"]
    assert paths[f"{V1}/tables"]["post"]["x-scope"] == "play"
    assert "x-scope" not in paths[f"{V1}/games"]["get"]


def test_only_a_digest_is_kept() -> None:
    ada = make_user("ada")
    text = made(ada)
    assert re.fullmatch(r"kakomi_[\w-]{43}", text)
    row = ApiToken.objects.get()
    assert text not in str(vars(row)) and row.digest == tokens.digest_of(text) and text.endswith(row.ending)


def test_a_token_acts_for_its_user() -> None:
    text = made(make_user("ada"), "read", "play")
    me = sent(text).json()
    assert me == {"token": None, "name": "Ada", "person": "ada", "is_bot": False, "scopes": ["read", "play"]}
    assert sent(text, "post", "/tables", TABLE).status_code == 201


def test_a_missing_scope_is_named() -> None:
    answer = sent(made(make_user("ada"), "read"), "post", "/tables", TABLE)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope")
    assert "“play”" in answer.json()["message"]
    assert answer["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="play"'


def test_watching_by_a_token_takes_a_scope_and_without_one_none() -> None:
    assert sent(made(make_user("ada"), "play"), path="/tables").status_code == 403
    assert Client().get(f"{V1}/tables").status_code == 200


def test_what_is_no_token_any_more_is_refused_with_the_reason() -> None:
    ada = make_user("ada")
    text = made(ada, days=30)
    later = clock.now() + 31 * tokens.DAY
    with clock.time_from(lambda: later):
        assert "expired" in sent(text).json()["message"]
    ApiToken.objects.all().delete()
    for path in ("/me", "/tables"):  # and nobody is let pass for a spectator who believes to be somebody
        answer = sent(text, path=path)
        assert (answer.status_code, answer.json()["code"]) == (401, "who") and "revoked" in answer.json()[
            "message"
        ]
    text = made(ada)
    User.objects.update(is_active=False)
    assert sent(text).status_code == 401


def test_the_private_link_of_an_account_is_no_token() -> None:
    ada, guest = make_user("ada"), Guest.objects.create(name="Bob")
    assert sent(guest.token).json()["token"] == guest.token
    answer = sent(ada.guest.token)
    assert (
        answer.status_code == 401
        and "you have an account: create a token on your account page and use that"
        in answer.json()["message"]
    )


def test_use_is_noted_now_and_then() -> None:
    text = made(make_user("ada"))
    begun = clock.now()
    for after, noted in ((0.0, 0.0), (200.0, 0.0), (400.0, 400.0)):
        with clock.time_from(partial(float, begun + after)):
            sent(text)
        assert ApiToken.objects.get().used_at == begun + noted


def test_a_token_ends_itself() -> None:
    ada = make_user("ada")
    text = made(ada, days=30)
    assert sent(text, path="/token").json()["name"] == "laptop"
    assert sent(text, "delete", "/token").status_code == 204
    assert sent(text).status_code == 401
    assert sent(Guest.objects.create().token, "delete", "/token").status_code == 404


@pytest.mark.parametrize(
    ("name", "scopes"), [("", ["read"]), ("  ", ["read"]), ("laptop", []), ("laptop", ["everything"])]
)
def test_a_token_needs_a_name_and_a_scope(name: str, scopes: list[str]) -> None:
    with pytest.raises(Refused):
        tokens.make_token(make_user("ada"), name, scopes)
    assert not ApiToken.objects.exists()


def test_tokens_are_few_and_have_different_names() -> None:
    ada = make_user("ada")
    made(ada)
    with pytest.raises(Refused, match="already"):
        made(ada)
    for number in range(1, tokens.MOST_TOKENS):
        made(ada, name=f"program {number}")
    with pytest.raises(Refused, match="30 tokens"):
        made(ada, name="one more")


def test_the_page_shows_a_token_once(client: Client) -> None:
    ada = make_user("ada")
    assert client.get("/me/tokens").status_code == 302
    client.force_login(ada)
    assert "none" in client.get("/me/tokens").content.decode()
    page = client.post("/me/tokens", {"name": "laptop", "scopes": ["read", "play"], "days": "90"})
    assert page.status_code == 201 and "no-store" in page["Cache-Control"]
    found = re.search(r'value="(kakomi_[\w-]+)"', page.content.decode())
    assert found and sent(found[1]).status_code == 200
    assert found[1] not in client.get("/me/tokens").content.decode()
    again = client.post("/me/tokens", {"name": "laptop", "scopes": ["read"], "days": ""})
    assert again.status_code == 422 and "already" in again.content.decode()
    bad = client.post("/me/tokens", {"name": "x", "scopes": ["all"], "days": "7"})
    assert bad.status_code == 422 and ApiToken.objects.count() == 1
    client.post(f"/me/tokens/{ApiToken.objects.get().pk}/end")
    assert sent(found[1]).status_code == 401


def test_nobody_ends_or_makes_tokens_of_others(client: Client) -> None:
    text, bob = made(make_user("ada")), make_user("bob")
    client.force_login(bob)
    assert client.post(f"/me/tokens/{ApiToken.objects.get().pk}/end").status_code == 404
    assert client.get("/me/bots/ada").status_code == 404
    assert sent(text).status_code == 200


def test_a_bot_is_made_and_says_that_it_is_one(client: Client) -> None:
    ada = make_user("ada")
    client.force_login(ada)
    assert client.post("/me/bots", {"username": "crusher"})["Location"] == "/me/bots/crusher"
    bot = User.objects.get(username="crusher")
    assert bot.guest.is_bot and bot.owner == ada and not bot.has_usable_password()
    page = client.post("/me/bots/crusher", {"name": "engine", "scopes": ["read", "play"], "days": ""})
    found = re.search(r'value="(kakomi_[\w-]+)"', page.content.decode())
    assert found and sent(found[1]).json()["is_bot"]
    client.post(f"/me/tokens/{ApiToken.objects.get().pk}/end")  # its owner ends it
    assert not ApiToken.objects.exists()
    assert ">bot<" in client.get("/@crusher").content.decode()
    for wrong in ("crusher", "CRUSHER", "ada", "no spaces", "", "x" * 31):
        assert client.post("/me/bots", {"username": wrong}).status_code == 422, wrong
    assert User.objects.count() == 2
    with pytest.raises(Refused, match="a bot can’t have bots"):
        make_bot(bot, "smaller")


def test_a_bot_plays_no_rated_games_against_its_owner() -> None:
    ada, bob = make_user("ada"), make_user("bob")
    one, two = make_bot(ada, "crusher").guest, make_bot(ada, "smasher").guest
    config, clock = MatchConfig(catalog.game("rin")), TimeControl(300.0, 5.0)
    for pair in ((ada.guest, one), (one, two)):
        with pytest.raises(
            Refused, match="a bot can’t play rated games against its owner or its owner’s other bots"
        ):
            tables.begin(config, [Sitter(guest) for guest in pair], clock, is_rated=True)
        tables.begin(config, [Sitter(guest) for guest in pair])
    tables.begin(config, [Sitter(bob.guest), Sitter(one)], clock, is_rated=True)
    free = tables.begin(config, [Sitter(one), Sitter()], clock, is_rated=True).seats.get(number=1)
    with pytest.raises(
        Refused, match="a bot can’t play rated games against its owner or its owner’s other bots"
    ):
        tables.sit_down(free, ada.guest)
    assert tables.sit_down(free, bob.guest)
