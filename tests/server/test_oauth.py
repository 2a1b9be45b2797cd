"""OAuth: programs of others get what a person lets them have, once, and no longer than the person wants."""

import base64
import hashlib
import threading
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.db import connection
from django.test import Client

from kakomi.server import clock
from kakomi.server.accounts.models import ApiToken, User
from kakomi.server.oauth import services
from kakomi.server.oauth.models import Credential, Grant, Program
from kakomi.session import Refused
from server.people import make_user, signed_in

pytestmark = pytest.mark.django_db

BACK = "https://app.example/back"
VERIFIER = "a-verifier-that-is-long-enough-for-the-standard-0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def program() -> Program:
    return services.add_program(make_user("maker"), "Board reader", [BACK, "http://127.0.0.1/back"])


def asking(program: Program, **other: str) -> str:
    asked = {
        "response_type": "code",
        "client_id": program.client_id,
        "redirect_uri": BACK,
        "scope": "read play",
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **other,
    }
    return "/oauth/authorize?" + urlencode({name: value for name, value in asked.items() if value})


def answer_in(location: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


def allowed(user: User, program: Program, **other: str) -> str:
    """The code that comes back."""
    answer = signed_in(user).post(asking(program, **other), {"decision": "allow"})
    assert answer.status_code == 302 and answer["Location"].startswith(other.get("redirect_uri", BACK))
    told = answer_in(answer["Location"])
    assert told["state"] == "xyz"
    return told["code"]


def exchanged(program: Program, **fields: str) -> Any:
    return Client().post(
        "/oauth/token",
        urlencode({"client_id": program.client_id, **fields}),
        "application/x-www-form-urlencoded",
    )


def by_code(program: Program, code: str, **other: str) -> Any:
    asked = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    return exchanged(program, **{**asked, **other})


def status_with(token: str, path: str = "/api/v1/me") -> int:
    return Client().get(path, headers={"Authorization": f"Bearer {token}"}).status_code


def test_a_program_gets_what_it_was_let(program: Program) -> None:
    ada = make_user("ada")
    page = signed_in(ada).get(asking(program))
    assert (
        "Board reader" in page.content.decode() and "open games, sit down and play" in page.content.decode()
    )
    assert "form-action 'self' https://app.example;" in page["Content-Security-Policy"]
    answer = by_code(program, allowed(ada, program))
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    told = answer.json()
    assert told["token_type"] == "Bearer" and told["expires_in"] == 3600 and told["scope"] == "read play"
    assert status_with(told["access_token"]) == 200
    assert status_with(told["access_token"], "/api/v1/me/archive") == 403
    assert told["access_token"] not in str(list(ApiToken.objects.values()))
    assert told["refresh_token"] not in str(list(Credential.objects.values()))


def test_who_says_no_gives_nothing(program: Program) -> None:
    answer = signed_in(make_user("ada")).post(asking(program), {"decision": "deny"})
    assert answer_in(answer["Location"]) == {"error": "access_denied", "state": "xyz"}
    assert not Grant.objects.exists() and not ApiToken.objects.exists()


def test_who_is_not_signed_in_is_asked_to(program: Program) -> None:
    answer = Client().get(asking(program))
    assert answer.status_code == 302 and "app.example" not in urlsplit(answer["Location"]).netloc


@pytest.mark.parametrize(
    "wrong", [{"client_id": "nobody"}, {"redirect_uri": "https://evil.example/"}, {"redirect_uri": ""}]
)
def test_nobody_is_sent_to_an_unknown_address(program: Program, wrong: dict[str, str]) -> None:
    client = signed_in(make_user("ada"))
    for answer in (
        client.get(asking(program, **wrong)),
        client.post(asking(program, **wrong), {"decision": "allow"}),
    ):
        assert answer.status_code == 400 and "Location" not in answer


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
    ],
)
def test_what_makes_no_sense_is_told_to_the_program(
    program: Program, wrong: dict[str, str], error: str
) -> None:
    answer = signed_in(make_user("ada")).post(asking(program, **wrong), {"decision": "allow"})
    assert answer.status_code == 302 and answer_in(answer["Location"])["error"] == error
    assert not Grant.objects.exists()


def test_a_code_is_good_once_and_for_who_asked(program: Program) -> None:
    ada = make_user("ada")
    code = allowed(ada, program)
    other = services.add_program(make_user("eve"), "Other", [BACK])
    for wrong in (
        {"code_verifier": "x" * 50},
        {"redirect_uri": "http://127.0.0.1/back"},
        {"code": "guessed"},
    ):
        assert by_code(program, **{"code": code, **wrong}).status_code == 400
    assert by_code(other, code).json()["error"] == "invalid_grant"
    assert by_code(program, code).status_code == 200
    assert by_code(program, code).json()["error"] == "invalid_grant"
    late = allowed(ada, program)
    now = clock.now()
    with clock.time_from(lambda: now + services.CODE_SECONDS):
        assert by_code(program, late).status_code == 400


def test_a_code_that_comes_twice_ends_the_grant(program: Program) -> None:
    """Whoever brought it first: RFC 6749, 4.1.2, wants the tokens revoked that were given for it."""
    ada, eve = make_user("ada"), make_user("eve")
    others = by_code(program, allowed(eve, program)).json()
    code = allowed(ada, program)
    told = by_code(program, code).json()
    assert status_with(told["access_token"]) == 200
    other = services.add_program(make_user("mallory"), "Other", [BACK])
    assert by_code(other, code).status_code == 400
    assert status_with(told["access_token"]) == 200, "no other program can end it"
    now = clock.now()
    with clock.time_from(lambda: now + services.CODE_SECONDS + 1):
        assert by_code(program, code, code_verifier="x" * 50).json()["error"] == "invalid_grant"
    assert status_with(told["access_token"]) == 401
    later = exchanged(program, grant_type="refresh_token", refresh_token=told["refresh_token"])
    assert later.status_code == 400
    assert Grant.objects.get().user == eve and status_with(others["access_token"]) == 200


def test_a_used_code_is_forgotten_with_the_token_that_it_gave(program: Program) -> None:
    code = allowed(make_user("ada"), program)
    by_code(program, code)
    now = clock.now()
    with clock.time_from(lambda: now + services.ACCESS_SECONDS + 1):
        assert by_code(program, code).status_code == 400 and Grant.objects.exists()
        services.drop_expired()
    assert [row.kind for row in Credential.objects.all()] == ["refresh"]


def test_a_refresh_token_is_good_once_and_asks_for_no_more(program: Program) -> None:
    first = by_code(program, allowed(make_user("ada"), program)).json()["refresh_token"]
    told = exchanged(program, grant_type="refresh_token", refresh_token=first)
    assert told.status_code == 200 and status_with(told.json()["access_token"]) == 200
    second = told.json()["refresh_token"]
    more = exchanged(program, grant_type="refresh_token", refresh_token=second, scope="read account")
    assert more.json()["error"] == "invalid_scope"


def test_a_refresh_token_that_comes_twice_ends_the_grant(program: Program) -> None:
    ada, eve = make_user("ada"), make_user("eve")
    first = by_code(program, allowed(ada, program)).json()["refresh_token"]
    others = by_code(program, allowed(eve, program)).json()
    second = exchanged(program, grant_type="refresh_token", refresh_token=first).json()
    assert status_with(second["access_token"]) == 200
    again = exchanged(program, grant_type="refresh_token", refresh_token=first)
    assert again.status_code == 400 and again.json()["error"] == "invalid_grant"
    assert status_with(second["access_token"]) == 401, "whoever has it"
    later = exchanged(program, grant_type="refresh_token", refresh_token=second["refresh_token"])
    assert later.status_code == 400
    assert Grant.objects.get().user == eve and status_with(others["access_token"]) == 200


def test_a_used_refresh_token_is_forgotten_when_it_would_have_expired(program: Program) -> None:
    first = by_code(program, allowed(make_user("ada"), program)).json()["refresh_token"]
    exchanged(program, grant_type="refresh_token", refresh_token=first)
    now = clock.now()
    with clock.time_from(lambda: now + services.REFRESH_SECONDS + 1):
        services.drop_expired()
        assert not Credential.objects.exists()
        assert exchanged(program, grant_type="refresh_token", refresh_token=first).status_code == 400
    assert Grant.objects.exists()


def test_a_person_ends_it_at_once(program: Program) -> None:
    ada = make_user("ada")
    told = by_code(program, allowed(ada, program)).json()
    client = signed_in(ada)
    assert "Board reader" in client.get("/me/programs").content.decode()
    assert (
        signed_in(make_user("bob")).post(f"/me/programs/let/{Grant.objects.get().pk}/end").status_code == 404
    )
    client.post(f"/me/programs/let/{Grant.objects.get().pk}/end")
    assert status_with(told["access_token"]) == 401
    assert (
        exchanged(program, grant_type="refresh_token", refresh_token=told["refresh_token"]).status_code == 400
    )


def test_a_program_that_is_deleted_has_no_tokens(program: Program) -> None:
    told = by_code(program, allowed(make_user("ada"), program)).json()
    signed_in(program.owner).post(f"/me/programs/{program.pk}/end")
    assert status_with(told["access_token"]) == 401 and not Program.objects.exists()


def test_a_program_gives_a_token_back(program: Program) -> None:
    told = by_code(program, allowed(make_user("ada"), program)).json()
    for text in (told["access_token"], "unknown"):
        back = urlencode({"client_id": program.client_id, "token": text})
        assert Client().post("/oauth/revoke", back, "application/x-www-form-urlencoded").status_code == 200
    assert status_with(told["access_token"]) == 401


def test_a_program_on_ones_own_machine_takes_any_port(program: Program) -> None:
    assert allowed(make_user("ada"), program, redirect_uri="http://127.0.0.1:5555/back")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://app.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "https://a@b/",
        "https://a/#b",
        "http://localhost@evil.example/",
        "http://[::1",
        "app:/x",
        "https://a/\u202e",
        "https://a:port/",
    ],
)
def test_addresses_that_will_not_do(address: str) -> None:
    with pytest.raises(Refused):
        services.add_program(make_user("maker"), "Reader", [address])
    assert not Program.objects.exists()


def test_the_page_registers_programs() -> None:
    client = signed_in(make_user("maker"))
    assert (
        client.post(
            "/me/programs", {"name": "Reader", "addresses": f"{BACK}\norg.example.app:/back"}
        ).status_code
        == 302
    )
    assert Program.objects.get().redirect_uris == [BACK, "org.example.app:/back"]
    again = client.post("/me/programs", {"name": "Reader", "addresses": BACK})
    assert again.status_code == 422 and "already" in again.content.decode()


def test_what_is_over_is_dropped(program: Program) -> None:
    by_code(program, allowed(make_user("ada"), program))
    now = clock.now()
    with clock.time_from(lambda: now + services.REFRESH_SECONDS):
        services.drop_expired()
    assert not Credential.objects.exists() and not ApiToken.objects.exists() and Grant.objects.exists()


def test_programs_find_their_way() -> None:
    told = Client().get("/.well-known/oauth-authorization-server").json()
    assert told["token_endpoint"] == "http://testserver/oauth/token"
    assert told["code_challenge_methods_supported"] == ["S256"]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_bring_one_code_one_gets_a_token_which_ends(program: Program) -> None:
    """The first is answered, and whoever comes second ends what was given: one of them has stolen the code.

    The tokens used to stay. A program that sends its code twice by mistake has to ask the person anew; that
    is the price that RFC 6749, 4.1.2, pays for ending the tokens of a thief who was quicker.
    """
    code, answers = allowed(make_user("ada"), program), []

    def bring() -> None:
        answers.append(by_code(program, code).status_code)
        connection.close()

    threads = [threading.Thread(target=bring) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 400, 400, 400]
    assert not ApiToken.objects.exists() and not Grant.objects.exists()
