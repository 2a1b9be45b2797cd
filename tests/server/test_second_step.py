"""Passkeys, authenticator apps and recovery codes, and that no way leads round them."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.test import Client

from kakomi.server.accounts.models import Guest, SignIn, User
from server.passkeys import HOST, Passkey, add_passkey, answer_by, sign_in_by
from server.test_sign_in import PASSWORD, _fast_and_forgetful, sign_in, sign_up, user_of

__all__ = ["_fast_and_forgetful"]
pytestmark = pytest.mark.django_db
SECOND = "/account/sign-in/second"


def browser() -> Client:
    return Client(SERVER_NAME=HOST)


def code_of(secret: str) -> str:
    """What an authenticator app shows now."""
    return format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[1]))


def add_app(client: Client) -> str:
    """Have an app asked for, and return its key."""
    page = client.get("/account/app").content.decode()
    found = re.search(r'id="key" value="(\w+)"', page)
    assert found
    client.post("/account/app", {"code": code_of(found[1])})
    return found[1]


def forget_used_codes() -> None:
    """A code is good once, and half a minute is long."""
    from django.core.cache import cache

    cache.clear()


def recovery_codes(client: Client) -> list[str]:
    return re.findall(r"<code>(\d+)</code>", client.get("/account/codes").content.decode())


def test_a_passkey_signs_in_by_itself() -> None:
    here, elsewhere, passkey = browser(), browser(), Passkey()
    sign_up(here)
    assert add_passkey(here, passkey).url == "/account/codes"
    assert "Laptop" in here.get("/me").content.decode()
    assert sign_in_by(elsewhere, passkey).url == "/"
    assert user_of(elsewhere) == "ada"


def test_an_answer_of_a_passkey_is_good_once() -> None:
    here, elsewhere, passkey = browser(), browser(), Passkey()
    sign_up(here)
    add_passkey(here, passkey)
    asked = elsewhere.get("/account/sign-in/passkey", headers={"Accept": "application/json"})
    form = {"credential": passkey.shown(asked.json()["request_options"]["publicKey"])}
    cookie = elsewhere.cookies["sessionid"].value
    assert elsewhere.post("/account/sign-in/passkey", form)["Location"] == "/"
    thief = browser()
    thief.cookies["sessionid"] = cookie
    thief.post("/account/sign-in/passkey", form)
    assert user_of(thief) is None


def test_a_passkey_of_another_device_signs_nobody_in() -> None:
    here, passkey, other = browser(), Passkey(), Passkey()
    sign_up(here)
    add_passkey(here, passkey)
    other._id, other._user = passkey._id, passkey._user
    thief = browser()
    assert sign_in_by(thief, other).url == "/account/sign-in"
    assert user_of(thief) is None


@pytest.mark.parametrize(
    "credential",
    [
        "",
        "x",
        "[]",
        "{}",
        "null",
        "1",
        '{"response": {}}',
        '{"id": "a", "rawId": "a", "response": 3}',
    ],
)
def test_what_is_no_passkey_is_refused(credential: str) -> None:
    here, stranger = browser(), browser()
    sign_up(here)
    here.get("/account/passkeys/new")
    assert here.post("/account/passkeys/new", {"credential": credential}).status_code == 422
    stranger.get("/account/sign-in/passkey", headers={"Accept": "application/json"})
    stranger.post("/account/sign-in/passkey", {"credential": credential})
    assert user_of(stranger) is None and not Authenticator.objects.exists()


def test_an_app_is_asked_for_after_the_password() -> None:
    here, elsewhere = browser(), browser()
    sign_up(here)
    secret = add_app(here)
    forget_used_codes()
    assert sign_in(elsewhere).url == SECOND
    assert user_of(elsewhere) is None
    assert elsewhere.post(SECOND, {"code": "000000"}).status_code == 422
    assert elsewhere.post(SECOND, {"code": code_of(secret)})["Location"] == "/"
    assert user_of(elsewhere) == "ada"


def test_a_recovery_code_is_good_once() -> None:
    here = browser()
    sign_up(here)
    add_app(here)
    code = recovery_codes(here)[0]
    for works in (True, False):
        elsewhere = browser()
        sign_in(elsewhere)
        elsewhere.post(SECOND, {"code": code})
        assert (user_of(elsewhere) == "ada") == works
    assert "9 left" in here.get("/me").content.decode()


def test_a_passkey_is_asked_for_after_the_password() -> None:
    here, elsewhere, passkey = browser(), browser(), Passkey()
    sign_up(here)
    add_passkey(here, passkey)
    assert sign_in(elsewhere).url == SECOND
    assert answer_by(elsewhere, passkey, SECOND).url == "/"
    assert user_of(elsewhere) == "ada"


def test_no_way_leads_round_the_second_step() -> None:
    """Not the private link, not a cookie from before, not the API, not the admin, not a link in a mail."""
    here, half = browser(), browser()
    sign_up(here, email="ada@example.org")
    user = User.objects.get()
    user.is_staff = user.is_superuser = True
    user.save()
    add_app(here)
    sign_in(half, next="/admin/")
    for page in ("/admin/", "/account/codes", "/account/password", "/account/app", "/account/addresses"):
        assert half.get(page).status_code == 302, page
    assert half.get("/api/v1/me").status_code == 401
    token = Guest.objects.get().token
    half.post(f"/me/{token}")
    assert half.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code in (401, 403)
    assert half.post("/account/passkeys/new", {}).status_code == 302
    half.post("/account/forgotten", {"email": "ada@example.org"})
    found = re.search(r"http://localhost(/\S+)", mail.outbox[-1].body)
    assert found
    new = {"password1": "another, longer one", "password2": "another, longer one"}
    half.post(half.get(found[1])["Location"], new)
    assert sign_in(half, password="another, longer one").url == SECOND
    assert user_of(half) is None and not SignIn.objects.exclude(user=None).exists()


def test_staff_with_a_second_step_need_it() -> None:
    here, elsewhere = browser(), browser()
    sign_up(here)
    User.objects.update(is_staff=True, is_superuser=True)
    secret = add_app(here)
    forget_used_codes()
    sign_in(elsewhere, next="/admin/")
    assert elsewhere.get("/admin/").status_code == 302
    elsewhere.post(SECOND, {"code": code_of(secret)})
    assert elsewhere.get("/admin/").status_code == 200
    page = elsewhere.get(f"/admin/mfa/authenticator/{Authenticator.objects.earliest('pk').pk}/change/")
    assert secret not in page.content.decode()


def test_after_a_while_they_have_to_show_again_who_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    here, now = browser(), time.time()
    sign_up(here)
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    asked = here.get("/account/passkeys/new")
    assert asked["Location"] == "/account/again?next=%2Faccount%2Fpasskeys%2Fnew"
    assert here.post(asked["Location"], {"password": "no"}).status_code == 422
    assert here.post(asked["Location"], {"password": PASSWORD})["Location"] == "/account/passkeys/new"
    assert here.get("/account/passkeys/new").status_code == 200


def test_passkeys_are_renamed_and_removed_by_their_owner_alone() -> None:
    here, other = browser(), browser()
    sign_up(here)
    add_passkey(here, Passkey())
    sign_up(other, "bob")
    page = f"/account/passkeys/{Authenticator.objects.get(type='webauthn').pk}"
    assert (
        other.post(f"{page}/remove").status_code
        == other.post(f"{page}/name", {"name": "x"}).status_code
        == 404
    )
    assert here.post(f"{page}/name", {"name": "x" * 61}).status_code == 422
    here.post(f"{page}/name", {"name": "Phone"})
    assert "Phone" in here.get("/me").content.decode()
    here.post(f"{page}/remove")
    assert not Authenticator.objects.exists()
    assert sign_in(browser()).url == "/"


def test_an_app_is_removed() -> None:
    here = browser()
    sign_up(here)
    add_app(here)
    here.post("/account/app/remove")
    assert not Authenticator.objects.exists()


def pages(client: Client) -> dict[str, Any]:
    """Every page about signing in, as somebody sees it."""
    names = ("sign-in", "sign-up", "forgotten", "forgotten/sent", "forgotten/done", "addresses", "password")
    more = ("app", "app/remove", "codes", "codes/new", "passkeys/new", "inactive", "sign-out", "again")
    return {name: client.get(f"/account/{name}") for name in (*names, *more)}


def test_every_page_is_there_and_kept_out_of_caches() -> None:
    here = browser()
    sign_up(here)
    add_app(here)
    for client in (here, browser()):
        for name, answer in pages(client).items():
            assert answer.status_code in (200, 302), name
            assert "no-store" in answer["Cache-Control"], name


HOSTILE = (
    *("", " ", "0", "-1", "٣", "9" * 400, "[]", "<b>", "\u202e", "\x01\x7f", "a\nb: c"),
    *("' OR 1=1 --", "//evil.example/"),
)
FIELDS = (
    *(
        "login",
        "password",
        "username",
        "password1",
        "password2",
        "oldpassword",
        "email",
        "code",
        "credential",
    ),
    *(
        "name",
        "next",
        "number",
        "action_add",
        "action_remove",
        "action_send",
        "action_primary",
        "passwordless",
    ),
)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_pages_of_users_bear_anything(hostile: str, settings: Any) -> None:
    """Those of guests: test_hostile_requests.py."""
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    here = browser()
    sign_up(here)
    add_app(here)
    number = Authenticator.objects.earliest("pk").pk
    names = [
        *pages(here),
        f"passkeys/{number}/name",
        f"passkeys/{number}/remove",
        "again/code",
        "again/passkey",
    ]
    for name in names:
        if name != "sign-out":
            assert here.post(f"/account/{name}", dict.fromkeys(FIELDS, hostile)).status_code < 500, name
            assert here.get(f"/account/{name}", dict.fromkeys(FIELDS, hostile)).status_code < 500, name
    assert here.post("/me/browsers", {"number": hostile}).status_code == 302


def said_after(client: Client) -> str:
    return client.get("/account/sign-in").content.decode()


def test_a_removed_passkey_is_named_as_what_it_is() -> None:
    here, elsewhere, passkey = browser(), browser(), Passkey()
    sign_up(here)
    add_passkey(here, passkey)
    here.post(f"/account/passkeys/{Authenticator.objects.get(type='webauthn').pk}/remove")
    assert sign_in_by(elsewhere, passkey).url == "/account/sign-in"
    said = said_after(elsewhere)
    assert "This passkey was removed from its account" in said and "Wrong or expired code" not in said
    User.objects.update(is_active=False)
    User.objects.all().delete()  # as after an erasure
    sign_in_by(elsewhere, passkey)
    assert "This passkey was removed from its account" in said_after(elsewhere)


def test_a_wrong_answer_of_a_passkey_that_is_known_is_wrong() -> None:
    here, thief, passkey, other = browser(), browser(), Passkey(), Passkey()
    sign_up(here)
    add_passkey(here, passkey)
    other._id, other._user = passkey._id, passkey._user
    sign_in_by(thief, other)
    assert "Wrong or expired code" in said_after(thief)


def after_the_password(*steps: str) -> str:
    """The page that asks for the second step of somebody who has these."""
    here, elsewhere = browser(), browser()
    sign_up(here)
    if "passkey" in steps:
        add_passkey(here, Passkey())
    if "app" in steps:
        add_app(here)
    if "codes" not in steps:
        Authenticator.objects.filter(type="recovery_codes").delete()
    assert sign_in(elsewhere).url == SECOND
    return elsewhere.get(SECOND).content.decode()


@pytest.mark.parametrize(
    ("steps", "label"),
    [
        (("passkey",), ""),
        (("passkey", "codes"), "A recovery code"),
        (("app", "codes"), "A code from your authenticator app, or a recovery code"),
        (("app",), "A code from your authenticator app"),
        (("app", "passkey", "codes"), "A code from your authenticator app, or a recovery code"),
    ],
)
def test_a_second_step_is_asked_for_that_they_have(steps: tuple[str, ...], label: str) -> None:
    page = after_the_password(*steps)
    labels = re.findall(r'<label for="\w+">([^<]+)<', page)
    assert [each.strip() for each in labels] == ([label] if label else [])
    assert ('data-passkey="get"' in page) == ("passkey" in steps)
