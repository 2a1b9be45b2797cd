"""Messages and notes at tables: who may read and write them, their limits, and their removal."""

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kakomi.server.accounts import name_rules
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import block, join_guests
from kakomi.server.chat import selectors, services
from kakomi.server.chat.models import LONGEST, LONGEST_NOTE, ChatChoice, Message, Note
from kakomi.server.moderation.models import AuditEntry, Measure, Report
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.server.tables import models as tables
from kakomi.server.tables.models import Entry
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from server.people import make_user
from server.rated_games import at_moment
from server.staff import at_work, make_staff
from server.table_client import PART, Person, opened
from server.test_erasure import unpacked

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Person:
    return Person("Ann")


@pytest.fixture
def bob() -> Person:
    return Person("Bob")


@pytest.fixture
def row(ann: Person, bob: Person) -> tables.Table:
    return opened(ann, bob, size=4)


def aside(person: Person, row: tables.Table) -> str:
    page = person.look(row)
    start = page.index('data-fragment="aside"')
    return page[start : page.index('data-fragment="', start + 10)]


def test_those_who_play_read_what_is_written(ann: Person, bob: Person, row: tables.Table) -> None:
    news, entries = row.news, Entry.objects.count()
    services.write_message(row, ann.guest, "  Good  luck!\u202e <b> ", "0")
    row.refresh_from_db()
    assert row.news > news and Entry.objects.count() == entries  # viewers are told; nothing is logged
    for person in (ann, bob):
        assert "Good luck! &lt;b&gt;" in aside(person, row)
    assert "Good luck" not in Person("Cleo").look(row)
    assert "Good luck" not in Client().get(f"/table/{row.code}").content.decode()
    address = f"/table/{row.code}/messages"
    assert "Good luck!" in bob.client.get(address).content.decode()
    for stranger in (Client(), Person("Cleo").client):
        assert stranger.get(address).status_code == 404
        assert stranger.post(address, {"text": "Hi"}).status_code == 404


def test_a_page_with_scripts_and_one_without(ann: Person, row: tables.Table) -> None:
    address = f"/table/{row.code}/messages"
    form = {"text": "Hello", "message": "0"}
    assert ann.client.post(address, form, headers=PART).status_code == 204
    assert ann.client.post(address, form).status_code == 302  # a repeated request writes nothing
    assert Message.objects.count() == 1
    wrong = ann.client.post(address, {"text": "x" * (LONGEST + 1), "message": "1"})
    assert wrong.status_code == 422 and "300 characters" in wrong.content.decode()


def test_two_pages_that_knew_of_the_same_lose_nothing(ann: Person, row: tables.Table) -> None:
    services.write_message(row, ann.guest, "one", "0")
    services.write_message(row, ann.guest, "two", "0")
    services.write_message(row, ann.guest, "one", "0")
    assert list(Message.objects.values_list("text", flat=True)) == ["one", "two"]


def test_limits(ann: Person, row: tables.Table) -> None:
    with at_moment(1e9):
        for number in range(services.PER_MINUTE):
            services.write_message(row, ann.guest, f"number {number}", str(number))
        with pytest.raises(Refused, match="You’re sending messages too fast"):
            services.write_message(row, ann.guest, "one more", "more")
    with at_moment(1e9 + 61):
        assert services.write_message(row, ann.guest, "one more", "more").pk
    for text in ("", " \u200b ", "x" * (LONGEST + 1)):
        with pytest.raises(Refused):
            services.write_message(row, ann.guest, text, "other")


@pytest.mark.parametrize("kind", ["mute", "suspension"])
def test_who_is_muted_writes_nothing_and_hears_until_when(ann: Person, row: tables.Table, kind: str) -> None:
    Measure.objects.create(about=ann.guest, kind=kind, reason="rude", at=1e9, until=1e9 + 60)
    with at_moment(1e9), pytest.raises(Refused, match="until 2001-09-09 01:47"):
        services.write_message(row, ann.guest, "Hi", "0")
    with at_moment(1e9 + 60):
        assert services.write_message(row, ann.guest, "Hi", "0").pk


def test_who_is_muted_reads_why_and_until_when_in_place_of_each_field(ann: Person, row: tables.Table) -> None:
    cleo, pages = member("Cleo"), f"/table/{row.code}/messages"
    assert 'id="chat-text"' in aside(ann, row) and "<textarea" in ann.client.get(pages).content.decode()
    for person in (ann, cleo):
        until = 4102444800.0
        Measure.objects.create(about=person.guest, kind="mute", reason="rude words", at=1e9, until=until)
    said = "You’re muted until 2100-01-01 00:00 (UTC). Reason: rude words"
    read = [ann.client.get(pages).content.decode(), room_of(cleo, row)]
    read.append(cleo.client.get(f"/table/{row.code}/room").content.decode())
    for page in read:
        assert said in page and "/me/standing" in page and "<textarea" not in page
    assert said in aside(ann, row) and 'id="chat-text"' not in aside(ann, row)
    assert 'class="alert warning is-muted"' in room_of(cleo, row), "which hides the drawer's field"


def test_who_has_blocked_somebody_reads_nothing_of_them(ann: Person, bob: Person, row: tables.Table) -> None:
    services.write_message(row, ann.guest, "Are you there?", "0")
    block(bob.guest, ann.guest)
    assert "Are you there?" not in aside(bob, row)
    assert "Are you there?" not in bob.client.get(f"/table/{row.code}/messages").content.decode()
    services.write_message(row, bob.guest, "No", "0")
    assert "<b>Bob</b> No" not in aside(ann, row)


def test_messages_can_be_switched_off(ann: Person, bob: Person, row: tables.Table) -> None:
    services.write_message(row, ann.guest, "Hello", "0")
    address = f"/table/{row.code}/messages"
    bob.client.post(f"{address}/wanted", {"wanted": "no"})
    assert "Hello" not in aside(bob, row) and "turned messages off" in aside(bob, row)
    assert bob.client.post(address, {"text": "Hi", "message": "0"}).status_code == 422
    bob.client.post(f"{address}/wanted", {"wanted": "yes"})
    assert "Hello" in aside(bob, row)


def test_who_is_alone_with_bots_has_none(ann: Person) -> None:
    row = opened(ann, Sitter(bot="1"), size=4)
    assert 'id="chat"' not in ann.look(row)
    with pytest.raises(Refused):
        services.write_message(row, ann.guest, "Hello, bot", "0")


def test_a_fragment_stays_as_long_as_nothing_is_said(ann: Person, row: tables.Table) -> None:
    assert aside(ann, row) == aside(ann, row)


def test_a_report_carries_the_words_and_staff_remove_them(
    ann: Person, bob: Person, row: tables.Table
) -> None:
    made = services.write_message(row, ann.guest, "You fool", "0")
    page = bob.client.get(f"/table/{row.code}/messages").content.decode()
    address = f"/table/{row.code}/messages/{made.pk}"
    assert f'href="{address}"' in page
    assert "You fool" in bob.client.get(address).content.decode()
    assert bob.client.post(address, {"kind": "chat"}).status_code == 200
    assert Report.objects.get().quote == "You fool"
    form = {"reason": "an insult", "key": "k"}
    assert bob.client.post(f"{address}/remove", form).status_code == 404
    staff = at_work(make_staff("staff", "moderate"))
    assert "an insult" not in staff.get(f"/table/{row.code}/messages").content.decode()
    assert staff.post(f"{address}/remove", {"key": "k"}).status_code == 422
    for _ in range(2):
        assert staff.post(f"{address}/remove", form).status_code == 302
    assert AuditEntry.objects.get().act == "message"
    assert "You fool" not in aside(ann, row) and "deleted" in aside(bob, row)
    more = services.write_message(row, ann.guest, "You idiot", "1")
    staff.post(f"/table/{row.code}/messages/{more.pk}/remove", form)  # the page uses one key for all
    assert "You idiot" not in aside(bob, row)


def test_an_erased_person_leaves_rows_without_words(ann: Person, bob: Person, row: tables.Table) -> None:
    services.write_message(row, ann.guest, "My address is …", "0")
    erase(ann.guest)
    made = Message.objects.get()
    assert made.text == "" and made.removed_at is not None
    assert "deleted" in bob.client.get(f"/table/{row.code}/messages").content.decode()


def test_messages_come_along_to_an_account(ann: Person, row: tables.Table) -> None:
    services.write_message(row, ann.guest, "Hello", "0")
    services.set_messages_off(ann.guest, is_off=True)
    user = make_user("ann")
    join_guests(ann.guest, user)
    assert Message.objects.get().author == user.guest and ChatChoice.objects.get().guest == user.guest


def test_words_that_an_operator_forbids(
    ann: Person, row: tables.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# ours\nblorp\nquux*\n\n*zap\n", encoding="utf-8")
    monkeypatch.setenv("KAKOMI_WORDS", str(words))
    for text in ("blorp", "a BLORP!", "quuxes", "kazap", "ＢＬＯＲＰ"):
        with pytest.raises(Refused, match="Your message contains a word that isn’t allowed here"):
            services.write_message(row, ann.guest, text, text)
    assert services.write_message(row, ann.guest, "blorpish zapper", "fine").pk
    answer = ann.client.post("/me/preferences", {"name": "Blorp"})
    assert answer.status_code == 422 and "This name isn’t allowed here" in answer.content.decode()
    assert Guest.objects.get(pk=ann.guest.pk).name == "Ann"
    monkeypatch.setenv("KAKOMI_WORDS", str(tmp_path / "missing"))
    with pytest.raises(ValueError, match=r"KAKOMI_WORDS: .*missing should be a file"):
        name_rules.has_forbidden_word("")


def member(name: str) -> Person:
    """A person with an account, and a browser in which they are signed in."""
    person = Person(name)
    user = make_user(name.lower())
    person.client.force_login(user)
    person.guest = user.guest
    return person


def room_of(person: Person, row: tables.Table) -> str:
    """The fragment that the spectators' drawer loads."""
    return person.client.get(f"/table/{row.code}/room", headers=PART).content.decode()


def test_who_watches_writes_to_those_who_watch(ann: Person, row: tables.Table) -> None:
    cleo, dan = member("Cleo"), member("Dan")
    news, address = row.news, f"/table/{row.code}/room"
    assert (
        cleo.client.post(address, {"text": "White is lost", "message": "0"}, headers=PART).status_code == 204
    )
    row.refresh_from_db()
    assert row.news == news  # the players' pages aren't updated
    assert "White is lost" in room_of(dan, row)
    page = dan.look(row)
    assert f'data-loads="{address}"' in page and "White is lost" not in page
    assert "Players can read it after the game" in page
    assert "White is lost" in dan.client.get(address).content.decode()
    services.write_message(row, ann.guest, "Only for Bob", "0")
    assert "Only for Bob" not in room_of(dan, row)


def test_players_read_the_spectators_once_the_game_is_over(ann: Person, row: tables.Table) -> None:
    cleo, address = member("Cleo"), f"/table/{row.code}/room"
    services.write_message(row, cleo.guest, "Take the corner", "0", Message.Room.SPECTATORS)
    assert ann.client.get(address).status_code == ann.client.get(address, headers=PART).status_code == 404
    assert f'data-loads="{address}"' not in ann.look(row) and "Take the corner" not in aside(ann, row)
    with pytest.raises(
        Refused,
        match="Spectators need an account to chat here, and players can join in once the game is over",
    ):
        services.write_message(row, ann.guest, "Hi", "0", Message.Room.SPECTATORS)
    ann.do(row, "resign")
    assert "Take the corner" in room_of(ann, row) and f'data-loads="{address}"' in ann.look(row)
    with pytest.raises(Refused, match="need an account"):
        services.write_message(row, ann.guest, "Thank you", "0", Message.Room.SPECTATORS)


def test_who_has_no_account_is_told_what_the_room_is_for(row: tables.Table) -> None:
    stranger = Person("Eve")
    for client in (stranger.client, Client()):
        for headers in ({}, PART):
            answer = client.get(f"/table/{row.code}/room", headers=headers)
            assert answer.status_code == 200 and "Sign in to read and write here" in answer.content.decode()
    with pytest.raises(Refused, match="need an account"):
        services.write_message(row, stranger.guest, "Hi", "0", Message.Room.SPECTATORS)
    stranger.client.post(f"/table/{row.code}/room", {"text": "Hi"})
    assert not Message.objects.exists()


def test_the_limits_of_messages_hold_in_the_room(row: tables.Table) -> None:
    cleo, dan = member("Cleo"), member("Dan")
    room = Message.Room.SPECTATORS
    services.write_message(row, cleo.guest, "Hello", "0", room)
    services.write_message(row, cleo.guest, "Hello", "0", room)
    assert Message.objects.count() == 1
    block(dan.guest, cleo.guest)
    assert "Hello" not in room_of(dan, row)
    services.set_messages_off(dan.guest, is_off=True)
    with pytest.raises(Refused, match="turned on in your settings"):
        services.write_message(row, dan.guest, "Hi", "0", room)
    Measure.objects.create(about=cleo.guest, kind="mute", reason="rude", at=1e9, until=1e9 + 60)
    with at_moment(1e9), pytest.raises(Refused, match="until"):
        services.write_message(row, cleo.guest, "Again", "1", room)


def test_a_message_in_the_room_is_reported_and_removed(ann: Person, row: tables.Table) -> None:
    cleo, dan = member("Cleo"), member("Dan")
    made = services.write_message(row, cleo.guest, "You fool", "0", Message.Room.SPECTATORS)
    address = f"/table/{row.code}/messages/{made.pk}"
    assert f'href="{address}"' in dan.client.get(f"/table/{row.code}/room").content.decode()
    assert ann.client.post(address, {"kind": "chat"}).status_code == 404  # she can't see the message
    assert dan.client.post(address, {"kind": "chat"}).status_code == 200
    assert Report.objects.get().quote == "You fool"
    staff = at_work(make_staff("staff", "moderate"))
    answer = staff.post(f"{address}/remove", {"reason": "an insult", "key": "k"})
    assert answer.status_code == 302 and answer["Location"].endswith("/room")
    assert "You fool" not in room_of(dan, row)


def test_nobody_pays_for_the_room_at_the_board(ann: Person, row: tables.Table) -> None:
    """The room is loaded only when opened, so it adds no queries to a spectator's page."""
    cleo = member("Cleo")
    with CaptureQueriesContext(connection) as before:
        cleo.look(row)
    services.write_message(row, cleo.guest, "Hello", "0", Message.Room.SPECTATORS)
    with CaptureQueriesContext(connection) as after:
        cleo.look(row)
    assert not [query for query in (*before, *after) if "chat_" in query["sql"]]


def test_a_note_is_its_owners_alone(ann: Person, bob: Person, row: tables.Table) -> None:
    address = f"/table/{row.code}/note"
    assert f'data-loads="{address}"' in ann.look(row) and "Add note" in note_of(ann, row)
    assert ann.client.post(address, {"text": " d4 was <too> slow\r\n\r\nreally "}).status_code == 302
    assert "d4 was &lt;too&gt; slow<br><br>really" in note_of(ann, row)
    assert "d4 was" in ann.client.get(address).content.decode()
    assert "d4 was" not in ann.look(row)  # the note is loaded only when opened
    assert "d4 was" not in bob.look(row) + note_of(bob, row)
    for stranger in (Person("Cleo").client, Client()):
        page = stranger.get(f"/table/{row.code}").content.decode()
        assert "d4 was" not in page and address not in page
        assert stranger.get(address).status_code == stranger.post(address, {"text": "x"}).status_code == 404
    bob.client.post(address, {"text": "my own"})
    assert Note.objects.count() == 2
    ann.client.post(address, {"text": "changed"})
    assert "changed" in note_of(ann, row) and "d4 was" not in note_of(ann, row)
    ann.client.post(address, {"text": " "})
    assert Note.objects.get().owner == bob.guest


def test_a_note_has_a_bound(ann: Person, row: tables.Table) -> None:
    address = f"/table/{row.code}/note"
    assert ann.client.post(address, {"text": "x" * LONGEST_NOTE}).status_code == 302
    answer = ann.client.post(address, {"text": "y" * (LONGEST_NOTE + 1)})
    assert answer.status_code == 422 and "yyy" in answer.content.decode()  # the text isn't lost
    assert "xxx" in note_of(ann, row)


def test_a_note_is_in_its_owners_archive_and_goes_with_them(ann: Person, row: tables.Table) -> None:
    user, cleo = make_user("dan"), make_user("cleo").guest
    row.seats.filter(guest=ann.guest).update(guest=user.guest)
    services.save_note(user.guest, row, "plays fast")
    assert b"plays fast" in unpacked(archive(user.guest))["more/chat.note.json"]
    assert "more/chat.note.json" not in unpacked(archive(cleo))
    erase(user.guest)
    assert not Note.objects.exists()


def test_two_notes_of_one_person_become_one(row: tables.Table) -> None:
    left, user, other = Guest.objects.create(), make_user("ann"), opened(Person(), Person(), size=4)
    services.save_note(left, row, "as a guest")
    services.save_note(left, other, "elsewhere")
    services.save_note(user.guest, row, "with an account")
    join_guests(left, user)
    assert selectors.note_of(user.guest, row) == "with an account\nas a guest"
    assert selectors.note_of(user.guest, other) == "elsewhere" and Note.objects.count() == 2


def note_of(person: Person, row: tables.Table) -> str:
    """The fragment that the note's drawer loads."""
    return person.client.get(f"/table/{row.code}/note", headers=PART).content.decode()
