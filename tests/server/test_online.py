"""How many people are online."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from kakomi.server.accounts import selectors
from kakomi.server.accounts.models import Guest
from server.people import make_user, signed_in
from server.test_notices import known

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _count_now() -> None:
    selectors._people_online.cache_clear()


def test_people_with_an_open_page_are_online(client: Client) -> None:
    ada = make_user("ada")
    known(client, "Guest"), known(Client(), "Away")
    for browser in (client, signed_in(ada), Client()):
        browser.get("/notices/count")
    gone, bot = (Guest.objects.create(name=name, is_bot=name == "bot") for name in ("gone", "bot"))
    Guest.objects.filter(pk=bot.pk).update(seen_at=timezone.now())
    Guest.objects.filter(pk=gone.pk).update(seen_at=timezone.now() - timedelta(minutes=6))
    assert selectors.people_online() == 2
    for address in ("/", "/lobby/"):
        assert "2 players online" in Client().get(address).content.decode()
    assert Client().get("/api/v1/lobby/seeks").json()["online"] == 2


def test_an_empty_site_says_nothing_about_it(client: Client) -> None:
    known(client)
    client.get("/notices/count")
    for address in ("/", "/lobby/"):
        assert "online</span>" not in client.get(address).content.decode(), "oneself is no company"


def test_counting_is_cheap(client: Client) -> None:
    known(client)
    client.get("/notices/count")
    with CaptureQueriesContext(connection) as again:
        client.get("/notices/count")
    assert not any("UPDATE" in query["sql"] for query in again), "it is noted once a minute"
    selectors.people_online()
    with CaptureQueriesContext(connection) as remembered:
        selectors.people_online()
    assert len(remembered) == 0
