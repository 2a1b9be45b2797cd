"""Feeds of finished games: valid Atom, of public games alone, and nothing is sent twice."""

from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from kakomi.server.people.erasure import erase
from kakomi.server.tables import models
from server.people import make_user
from server.rated_games import begin_rated, resign
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def _no_cache() -> None:
    cache.clear()


def feed(game: str = "rin", **headers: str) -> ElementTree.Element:
    answer = Client().get(f"/feeds/{game}.atom", headers=headers)
    assert answer.status_code == 200 and answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def finished(ann: Person, bob: Person, *, is_listed: bool) -> models.Table:
    row = opened(ann, bob, size=4)
    ann.do(row, "resign")
    models.Table.objects.filter(pk=row.pk).update(listed_at=timezone.now() if is_listed else None)
    return row


def test_a_feed_has_what_readers_ask_for() -> None:
    row = finished(Person("Ann & Co <x>"), Person("Bob"), is_listed=True)
    found = feed()
    for name in ("id", "title", "updated", "author"):  # RFC 4287, 4.1.1
        assert found.find(f"{ATOM}{name}") is not None
    relations = {link.get("rel"): link.get("href") for link in found.findall(f"{ATOM}link")}
    assert relations["self"] == "http://testserver/feeds/rin.atom"
    entry = found.find(f"{ATOM}entry")
    assert entry is not None
    for name in ("id", "title", "updated", "link"):  # 4.1.2
        assert entry.find(f"{ATOM}{name}") is not None
    assert entry.findtext(f"{ATOM}id") == f"http://testserver/table/{row.code}"
    assert (entry.findtext(f"{ATOM}title") or "").startswith("Ann & Co <x> – Bob: ")


def test_only_public_games_of_the_kind_that_are_over() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    finished(ann, bob, is_listed=False)
    running = opened(ann, bob, size=4)
    models.Table.objects.filter(pk=running.pk).update(listed_at=timezone.now())
    listed = finished(ann, bob, is_listed=True)
    rated = resign(begin_rated([make_user("cleo").guest, make_user("dan").guest]), 1)
    assert [entry.findtext(f"{ATOM}id", "")[-10:] for entry in feed().findall(f"{ATOM}entry")] == [
        listed.code
    ]
    assert [entry.findtext(f"{ATOM}id", "")[-10:] for entry in feed("rive").findall(f"{ATOM}entry")] == [
        rated.code
    ]


def test_what_a_reader_has_is_not_sent_again() -> None:
    finished(Person("Ann"), Person("Bob"), is_listed=True)
    first = Client().get("/feeds/rin.atom")
    again = Client().get("/feeds/rin.atom", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and not again.content
    assert "public" in first["Cache-Control"]


def test_an_empty_feed_stays_the_same() -> None:
    first = Client().get("/feeds/lin.atom")
    cache.clear()
    assert Client().get("/feeds/lin.atom").content == first.content


def test_it_speaks_the_readers_language_and_knows_no_erased_names() -> None:
    cleo, dan = make_user("cleo").guest, make_user("dan").guest
    resign(begin_rated([cleo, dan]), 1)
    erase(cleo)
    text = Client().get("/feeds/rive.atom", headers={"Accept-Language": "de"}).content.decode()
    assert "Cleo" not in text and "cleo" not in text and 'xml:lang="de"' in text


def test_there_is_no_feed_of_what_is_no_game() -> None:
    assert Client().get("/feeds/chess.atom").status_code == 404
    assert Client().post("/feeds/rin.atom").status_code == 405
