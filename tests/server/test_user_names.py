"""Names to sign in with: no two that look alike, one script in each, and none that breaks an address."""

import unicodedata
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import resolve, reverse

from kakomi.server.accounts import services
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.name_rules import look
from kakomi.server.accounts.services import make_bot
from kakomi.session import Refused
from server.people import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "boards of many stones"


@pytest.fixture(autouse=True)
def _fast_and_forgetful(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def sign_up(username: str) -> str:
    answer = Client().post("/account/sign-up", {"username": username, "password1": PASSWORD})
    return answer.content.decode() if answer.status_code == 422 else ""


@pytest.mark.parametrize(
    ("known", "username"),
    [
        ("Alice", "alice"),
        ("paul", "pauI"),
        ("Paul", "pau1"),
        ("pauI", "Paul"),
        ("modern", "rnodern"),
        ("MODERN", "rnodern"),
        ("scope", "ѕсоре"),
        ("ACE", "асе"),
        ("асе", "ace"),
        ("bob", "b0b"),
        ("BOB", "b0b"),
        ("Straße", "strasse"),
        ("ada_1", "ada_l"),
        ("o.o", "0.О"),
    ],
)
def test_no_two_names_look_alike(known: str, username: str) -> None:
    assert not sign_up(known)
    said = sign_up(username)
    assert "already" in said or "look" in said or "Don’t mix letters from different alphabets" in said
    assert User.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username=username, guest=Guest.objects.create())


@pytest.mark.parametrize(
    ("known", "username"), [("ada", "adam"), ("anna", "аня"), ("ren", "rin"), ("a1", "a2")]
)
def test_other_names_are_free(known: str, username: str) -> None:
    assert not sign_up(known) and not sign_up(username)
    assert User.objects.count() == 2


@pytest.mark.parametrize("username", ["аlice", "Alicе", "김hans", "γamma", "adaע", "ひら한", "漢字abc"])
def test_a_name_has_one_script(username: str) -> None:
    assert "Don’t mix letters from different alphabets" in sign_up(username) and not User.objects.exists()


@pytest.mark.parametrize(
    "username", ["山田たろうサン", "한자漢字", "пётр-1", "γιάννης", "שלום", "José", "ada.b+c_d-e"]
)
def test_names_in_every_script_are_taken(username: str) -> None:
    assert not sign_up(username) and User.objects.get().username == unicodedata.normalize("NFKC", username)


@pytest.mark.parametrize(
    "username", [".", "..", "...", "-", "+", ".ada", "ada.", "-ada", "ada-", "+ada", "_._."]
)
def test_a_name_begins_and_ends_with_a_letter_or_a_digit(username: str) -> None:
    assert "Names must start and end with a letter, a digit or _" in sign_up(username)
    with pytest.raises(ValidationError, match="Names must start and end with a letter, a digit or _"):
        services.add_staff(username, PASSWORD)
    with pytest.raises(Refused, match="Names must start and end with a letter, a digit or _"):
        make_bot(make_user("owner"), username)
    assert User.objects.count() == 1


@pytest.mark.parametrize("username", ["Admin", "admіn", "ADM1N", "kаkоmi", "rооt", "sυpport", "moderat0r"])
def test_nobody_is_taken_for_staff(username: str) -> None:
    assert sign_up(username)
    with pytest.raises(Refused):
        make_bot(make_user("owner"), username)
    assert User.objects.count() == 1


@pytest.mark.parametrize("username", ["a", "ada.b+c_d-e", "block", "me", "пётр", "x.ics"])
def test_every_name_that_is_taken_has_its_pages(username: str) -> None:
    user, page = make_user(username), Client()
    User(username=username, guest=Guest()).clean_fields(exclude=["guest", "password"])
    assert page.get(reverse("person", args=[username])).status_code == 200
    for name in ("lobby_challenge", "report_person", "conversation", "bot_tokens"):
        found = resolve(reverse(name, args=[username]).replace("%D0%BF%D1%91%D1%82%D1%80", "пётр"))
        assert (found.url_name, found.kwargs["handle"]) == (name, user.username)


@pytest.mark.parametrize(
    ("name", "skeleton"),
    [("ρaypal", "paypal"), ("１𝐥Ⅰ|", "llll"), ("m", "rn"), ("Ω", "ω")],
)
def test_a_look_is_the_skeleton_of_uts_39(name: str, skeleton: str) -> None:
    assert look(name) == look(skeleton)
