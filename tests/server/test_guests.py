"""Guests: what they like, and the private link that takes their games along."""

import re
from typing import Any

import pytest
from django.test import Client

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig

pytestmark = pytest.mark.django_db


def prefer(client: Client, **wishes: str) -> Any:
    return client.post("/me/preferences", wishes)


def link(client: Client) -> str:
    """The private link's path, as the page shows it."""
    found = re.search(
        r'id="private-link" value="http://testserver([^"]+)"', client.get("/me").content.decode()
    )
    assert found
    return found[1]


def test_looking_makes_nobody_a_guest(client: Client) -> None:
    for address in ("/", "/me", "/about", "/play/rin"):
        assert client.get(address).status_code == 200
    assert not Guest.objects.exists()


def test_what_is_wished_is_kept(client: Client) -> None:
    assert prefer(client, name="  Ada \n Lovelace ", confirms_turns="no").url == "/me?saved"
    prefer(client, theme="dark")
    guest = Guest.objects.get()
    assert (guest.name, guest.confirms_turns, guest.theme) == ("Ada Lovelace", False, "dark")
    assert b'data-theme="dark"' in client.get("/").content


def test_one_wish_leaves_the_others_alone(client: Client) -> None:
    prefer(client, name="Ada", confirms_turns="no", theme="light")
    prefer(client, name="")
    guest = Guest.objects.get()
    assert (guest.name, guest.confirms_turns, guest.theme) == ("", False, "light")


@pytest.mark.parametrize("wish", [{"theme": "pink"}, {"language": "xx"}, {"confirms_turns": "maybe"}, {}])
def test_what_makes_no_sense_is_not_kept(client: Client, wish: dict[str, str]) -> None:
    assert prefer(client, **wish).status_code == 302
    assert not Guest.objects.exists()


def test_a_name_that_is_too_long_is_asked_for_again(client: Client) -> None:
    answer = prefer(client, name="A" * 31)
    assert answer.status_code == 422
    assert "30 characters; this one has 31" in answer.content.decode()
    assert "A" * 31 in answer.content.decode()
    assert not Guest.objects.exists()


def test_a_name_is_text_and_nothing_else(client: Client) -> None:
    prefer(client, name="<b>Ada</b>\x00\u202e")
    assert Guest.objects.get().name == "<b>Ada</b>"
    assert b"<b>Ada" not in client.get("/me").content


def test_the_language_is_the_browsers_own(client: Client) -> None:
    answer = prefer(client, language="de", next="/about")
    assert answer.url == "/about"
    assert b'<html lang="de"' in client.get("/").content
    assert b'<html lang="en"' in Client().get("/").content
    assert not Guest.objects.exists()


@pytest.mark.parametrize(
    "address", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""]
)
def test_a_form_leads_nowhere_else(client: Client, address: str) -> None:
    assert prefer(client, theme="dark", next=address).url == "/me?saved"


def test_the_private_link_makes_another_device_the_same_guest(client: Client) -> None:
    prefer(client, name="Ada")
    there = Client()
    asked = there.get(link(client))
    assert "Continue as Ada on this device?" in asked.content.decode()
    assert "guest" not in there.session, "it only asked"
    there.post(link(client))
    assert b"Ada" in there.get("/me").content


def test_who_has_games_here_is_told_before_they_are_replaced(client: Client) -> None:
    prefer(client, name="Ada")
    there = Client()
    prefer(there, name="Eve")
    eve = Guest.objects.get(name="Eve")
    services.begin(MatchConfig(catalog.game("rin", size=4)), [Sitter(eve), Sitter(bot="1")])
    assert "a different guest in this browser, with 1 game" in there.get(link(client)).content.decode()
    there.get(link(client))
    assert b"Eve" in there.get("/me").content
    there.post(link(client))
    assert b"Ada" in there.get("/me").content


def test_a_renewed_link_ends_the_old_one_and_signs_out_who_used_it(client: Client) -> None:
    prefer(client, name="Ada")
    old, there = link(client), Client()
    there.post(old)
    client.post("/me/renew")
    assert link(client) != old
    assert Client().get(old).status_code == 404
    assert Client().post(old).status_code == 404
    assert b"Ada" in client.get("/me").content, "who renews it stays"
    assert b"Ada" not in there.get("/me").content
    prefer(there, name="Eve")
    assert Guest.objects.get(name="Ada").pk != Guest.objects.get(name="Eve").pk
    there.post(link(client))
    assert b"Ada" in there.get("/me").content, "the new link leads back"
    there.post("/me/renew")
    assert b"Ada" in there.get("/me").content and b"Ada" not in client.get("/me").content


def test_a_backup_that_is_put_back_signs_nobody_out(client: Client) -> None:
    prefer(client, name="Ada")
    client.post("/me/renew")
    Guest.objects.update(sign_outs=0)
    assert b"Ada" in client.get("/me").content


def test_ones_own_link_asks_nothing(client: Client) -> None:
    prefer(client, name="Ada")
    assert client.get(link(client)).status_code == 302


def test_a_token_stays_out_of_caches_and_referrers(client: Client) -> None:
    prefer(client, name="Ada")
    for address in ("/me", link(client), "/me/nobody"):
        answer = client.get(address)
        if answer.status_code != 404:
            assert "no-store" in answer["Cache-Control"]
            assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "same-origin"
