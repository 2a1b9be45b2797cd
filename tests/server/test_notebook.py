"""Notes of one's own: nobody else reads them, and they go with their owner."""

from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import join_guests
from kakomi.server.notebook import services
from kakomi.server.notebook.models import LONGEST, Note
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.table_client import PART, Person, opened
from server.test_erasure import unpacked

pytestmark = pytest.mark.django_db


def test_a_note_on_a_game_is_its_owners_alone() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=4)
    address = f"/notebook/game/{row.code}"
    drawer = partial(ann.client.get, address, headers=PART)
    assert f'data-loads="{address}"' in ann.look(row) and "Write a note" in drawer().content.decode()
    assert ann.client.post(address, {"text": " d4 was <too> slow\r\n\r\nreally "}).status_code == 302
    assert "d4 was &lt;too&gt; slow<br><br>really" in drawer().content.decode()
    assert "d4 was" not in ann.look(row)  # it is loaded by who opens it
    assert "d4 was" in ann.client.get("/notebook/").content.decode()
    for other in (bob.client, Client()):
        for page in (f"/table/{row.code}", address, "/notebook/"):
            assert "d4 was" not in other.get(page).content.decode()
            assert "d4 was" not in other.get(page, headers=PART).content.decode()
    bob.client.post(address, {"text": "my own"})
    assert Note.objects.count() == 2
    ann.client.post(address, {"text": " "})
    assert Note.objects.get().owner == bob.guest


def test_a_note_on_a_person() -> None:
    ann, bob = make_user("ann"), make_user("bob")
    client = signed_in(ann)
    assert "/notebook/person/bob" in client.get("/@bob").content.decode()
    assert client.post("/notebook/person/bob", {"text": "likes corners"}).status_code == 302
    assert "likes corners" in client.get("/notebook/").content.decode()
    assert "likes corners" not in signed_in(bob).get("/@bob").content.decode()
    assert client.post("/notebook/person/ann", {"text": "me"}).status_code == 422
    assert client.post("/notebook/person/bob", {"text": "x" * (LONGEST + 1)}).status_code == 422
    assert Client().post("/notebook/person/nobody", {"text": "x"}).status_code == 404


def test_notes_are_in_their_owners_archive_and_go_with_both() -> None:
    ann, bob = make_user("ann").guest, make_user("bob").guest
    services.keep(ann, bob, "likes corners")
    assert b"likes corners" in unpacked(archive(ann))["more/notebook.note.json"]
    assert "more/notebook.note.json" not in unpacked(archive(bob))
    erase(bob)
    assert not Note.objects.exists()
    services.keep(ann, make_user("cleo").guest, "plays fast")
    erase(ann)
    assert not Note.objects.exists()


def test_two_notes_of_one_person_become_one() -> None:
    left, user, cleo = Guest.objects.create(), make_user("ann"), make_user("cleo").guest
    dan = make_user("dan").guest
    services.keep(left, cleo, "as a guest")
    services.keep(user.guest, cleo, "with an account")
    services.keep(left, user.guest, "on themselves")
    services.keep(dan, left, "of somebody else")
    join_guests(left, user)
    assert services.note_of(user.guest, cleo) == "with an account\nas a guest"
    assert services.note_of(dan, user.guest) == "of somebody else" and Note.objects.count() == 2


def test_there_is_one_note_on_each() -> None:
    ann, bob = make_user("ann").guest, make_user("bob").guest
    services.keep(ann, bob, "one")
    services.keep(ann, bob, "two")
    assert Note.objects.get().text == "two"
    for wrong in ({"about": bob}, {}, {"about": bob, "table": opened(Person(), Person(), size=4)}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Note.objects.create(owner=ann, text="more", at=0.0, **wrong)


def test_notes_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST", 1)
    ann, bob, cleo = (make_user(name).guest for name in ("ann", "bob", "cleo"))
    services.keep(ann, bob, "one")
    services.keep(ann, bob, "changed")
    with pytest.raises(Refused, match="delete one"):
        services.keep(ann, cleo, "two")
