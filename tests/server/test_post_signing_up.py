"""Signing up by mail, and choosing to play by mail."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from kakomi.server.accounts.models import Guest, User
from kakomi.server.lobby.models import Seek
from kakomi.server.mail.models import Confirmation
from kakomi.server.mail.reply_addresses import HOUR
from kakomi.server.notices.models import Mailing
from server.correspondence import PLAY, Postman, written
from server.people import signed_in

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db
EVE = "eve@elsewhere.example"


def test_somebody_signs_up_by_an_answer(postman: Postman) -> None:
    (mail,) = postman.deliver(written(EVE, "", subject="signup eve"))
    assert not User.objects.exists() and "confirm" in mail["text"]
    (welcome,) = postman.reply(mail, "confirm")
    eve = User.objects.get()
    assert (eve.username, eve.has_usable_password()) == ("eve", False) and welcome["to"] == EVE
    assert EmailAddress.objects.get().verified and Mailing.objects.get().plays_by_mail
    postman.reply(mail, "confirm")
    assert User.objects.count() == 1
    postman.reply(welcome, "seek rin")
    assert Seek.objects.get().owner == eve.guest


def test_somebody_signs_up_by_a_link(postman: Postman, client: Client) -> None:
    (mail,) = postman.deliver(written(EVE, "signup eve"))
    (link,) = [word for word in mail["text"].split() if "/mail/confirm/" in word]
    path = "/mail/confirm/" + link.rpartition("/")[2]
    assert "Yes, that was me" in client.get(path).content.decode() and not User.objects.exists()
    assert "Your account is ready" in client.post(path).content.decode() and User.objects.count() == 1
    assert client.post(path).status_code == 422 and User.objects.count() == 1
    assert client.get("/mail/confirm/aaaa").status_code == 404


def test_an_account_that_nobody_confirms_is_none(postman: Postman) -> None:
    (mail,) = postman.deliver(written(EVE, "signup eve"))
    postman.wait(80 * HOUR)
    postman.reply(mail, "confirm")
    assert not User.objects.exists()


def test_names_that_can_t_be_had_are_said(postman: Postman, people: list[Guest]) -> None:
    for name in ("", "ada", "admin", "a@b", "x" * 40):
        (mail,) = postman.deliver(written(EVE, f"signup {name}"))
        assert not Confirmation.objects.exists() and "confirm" not in mail["text"].lower().split("help")[0]


def test_of_two_who_want_a_name_one_is_told(postman: Postman) -> None:
    (first,) = postman.deliver(written(EVE, "signup eve"))
    (second,) = postman.deliver(written("mallory@elsewhere.example", "signup eve"))
    postman.reply(first, "confirm")
    (told,) = postman.reply(second, "confirm")
    assert User.objects.count() == 1 and told["to"] == "mallory@elsewhere.example"


def test_people_choose_play_by_mail_on_the_page(postman: Postman, people: list[Guest]) -> None:
    client = signed_in(people[0].user)
    assert PLAY in client.get("/notices/preferences").content.decode()
    client.post("/notices/preferences", {"pace": "hour", "hour": "18"})
    assert not Mailing.objects.get(guest=people[0]).plays_by_mail
    client.post("/notices/preferences", {"pace": "hour", "hour": "18", "by_mail": "on"})
    assert Mailing.objects.get(guest=people[0]).plays_by_mail
    assert client.post("/notices/preferences", {"pace": "off", "by_mail": "on"}).status_code == 422


def test_a_site_without_mail_has_no_such_choice(people: list[Guest]) -> None:
    page = signed_in(people[0].user).get("/notices/preferences").content.decode()
    assert "Play by email" not in page
