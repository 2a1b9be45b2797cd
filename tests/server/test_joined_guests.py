"""Signing in moves a guest's data to the user without losing or duplicating anything."""

import pytest

from kakomi import catalog
from kakomi.server.accounts import services as accounts
from kakomi.server.accounts.models import Block, Guest, User
from kakomi.server.accounts.selectors import models_of_people, rows_of
from kakomi.server.chat.models import ChatChoice, DirectMessage, Message, Note
from kakomi.server.lobby import services as lobby
from kakomi.server.lobby.models import Invitee, LobbyGuest, Place, Seek
from kakomi.server.lobby.selectors import find_seek
from kakomi.server.moderation.models import (
    Appeal,
    AuditEntry,
    Case,
    ErasureRequest,
    Measure,
    Report,
)
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice, Preference
from kakomi.server.notices.outbox import enqueue
from kakomi.server.notices.services import notify
from kakomi.server.rules.models import CompletedLesson
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables import vacations
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff, time_off_of
from kakomi.server.tournaments.models import CalendarAddress
from kakomi.session import MatchConfig, TimeControl
from server.lobby_people import somebody, sought
from server.people import make_user

pytestmark = pytest.mark.django_db
DAYS = TimeControl(86_400.0, kind="days")


@pytest.fixture
def ada() -> User:
    return make_user("ada")


@pytest.fixture
def left() -> Guest:
    return Guest.objects.create(name="A guest")


def begun(*guests: Guest, control: TimeControl | None = None):
    config = MatchConfig(catalog.game("rin", size=4))
    return tables.begin(config, [Sitter(guest) for guest in guests], control)


def test_every_row_of_a_guest_finds_its_new_owner(ada: User, left: Guest) -> None:
    eve = somebody("Eve")
    accounts.block(left, eve)
    vacations.choose_time_off(left, RegularTimeOff(zone="Europe/Berlin", weekend=(5, 6)))
    vacations.take_vacation(left, clock.now() + 1000, clock.now() + 2000)
    begun(left, somebody())
    left.completed_lessons.create(game="rin", lesson="first")
    left.puzzle_attempts.create(puzzle="x", answer="a1", is_right=True, at=1.0)
    left.studies.create(game="rin", record="")
    lobby.accept(sought(somebody(), game="rings", least=3, most=3).code, left)
    sought(left, kind=Seek.Kind.CHALLENGE, invitees=[somebody()])
    sought(somebody(), kind=Seek.Kind.CHALLENGE, invitees=[left])
    lobby.save_settings(left, LobbyGuest(takes_live=False))
    left.endpoints.create(address="https://push.example/", label="phone", secret="x")
    Mailing.objects.create(guest=left, pace="day")
    Preference.objects.create(guest=left, kind="turn", channel="mail", is_on=False)
    enqueue("mail", "welcome", {}, guest=left)
    CalendarAddress.objects.create(guest=left)
    looked_at_by_staff(left)
    write_down(left, begun(left, eve))
    of_guests = {
        model: names
        for model, names in models_of_people()
        if any(model._meta.get_field(name).related_model is Guest for name in names)
    }
    apps_of_users = ("ratings", "mail", "tournaments")
    of_users = {model for model in of_guests if model._meta.app_label in apps_of_users} | {DirectMessage}
    of_users.remove(CalendarAddress)
    had = {model: rows_of(left, model, names).count() for model, names in of_guests.items()}
    assert {model for model, count in had.items() if not count} == of_users
    accounts.join_guests(left, ada)
    for model, names in of_guests.items():
        assert model is CompletedLesson or not rows_of(left, model, names).exists(), model
        is_dropped = model in (ErasureRequest, Endpoint)  # they don't apply to the account or its sessions
        assert rows_of(ada.guest, model, names).count() == (0 if is_dropped else had[model]), model


def looked_at_by_staff(guest: Guest) -> None:
    """Create a row of each moderation model about a guest."""
    staff, cleo, dan = make_user("staff", is_staff=True), make_user("cleo"), make_user("dan")
    own, other = (Case.objects.create(about=each, opened_at=1.0) for each in (guest, dan.guest))
    Report.objects.create(case=other, reporter=guest, kind="name", at=1.0, key="of theirs")
    Report.objects.create(case=own, reporter=cleo.guest, kind="name", at=1.0, key="of others")
    measure = Measure.objects.create(about=guest, case=own, kind="mute", reason="rude", at=1.0, until=2.0)
    Appeal.objects.create(measure=measure, by=guest, text="no", at=1.0)
    AuditEntry.objects.create(key="k", by=staff, about=guest, act="mute", at=1.0)
    ErasureRequest.objects.create(about=guest, asked_by=staff, reason="asked", at=1.0)


def write_down(guest: Guest, row: Table) -> None:
    """Create a message, a choice and a note of a guest."""
    Message.objects.create(table=row, author=guest, text="Hello", at=1.0, key="m")
    ChatChoice.objects.create(guest=guest, is_off=True)
    Note.objects.create(owner=guest, table=row, text="fast", at=1.0)


def test_a_notice_that_both_have_is_told_once(ada: User, left: Guest) -> None:
    notify(left, "seat_taken", "7.1")
    notify(ada.guest, "seat_taken", "7.1")
    notify(left, "seat_taken", "8.1")
    accounts.join_guests(left, ada)
    assert {notice.guest for notice in Notice.objects.all()} == {ada.guest}
    assert Notice.objects.count() == 2
    assert not notify(ada.guest, "seat_taken", "8.1"), "they were told before"


def test_a_turn_passes_on_and_ends_where_one_sits_alone(ada: User, left: Guest) -> None:
    with_eve, alone = begun(left, somebody("Eve")), begun(left, ada.guest)
    assert Notice.objects.filter(guest=left, kind="turn").count() == 2
    accounts.join_guests(left, ada)
    (turn,) = Notice.objects.all()
    assert (turn.table, turn.guest) == (with_eve, ada.guest)
    tables.add(with_eve.code, [("play", "1,1")], seat=0, base=0, key="a-good-key")
    assert Notice.objects.filter(guest=ada.guest).count() == 0
    tables.add(alone.code, [("play", "1,1")], seat=0, base=0, key="a-good-key")
    assert not Notice.objects.filter(table=alone).exists()


def test_what_both_have_chosen_stays_as_the_user_has_it(ada: User, left: Guest) -> None:
    for guest, is_on in ((left, False), (ada.guest, True)):
        Preference.objects.create(guest=guest, kind="turn", channel="mail", is_on=is_on)
        Mailing.objects.create(guest=guest, pace="day" if is_on else "off")
        endpoint = guest.endpoints.create(address="https://push/1", label="here", secret="x")
        enqueue("push", f"push.{endpoint.pk}", {}, guest=guest, endpoint=endpoint)
        lobby.save_settings(guest, LobbyGuest(takes_live=is_on))
        vacations.choose_time_off(guest, RegularTimeOff(weekend=(6,) if is_on else (0,)))
    accounts.join_guests(left, ada)
    assert Preference.objects.get().is_on and Mailing.objects.get().pace == "day"
    assert LobbyGuest.objects.get().takes_live and time_off_of(ada.guest).weekend == [6]
    endpoint = Endpoint.objects.get()
    assert endpoint.guest == ada.guest
    assert [(row.guest, row.endpoint) for row in Delivery.objects.all()] == [(ada.guest, endpoint)]


def test_blocks_hold_for_who_signs_in(ada: User, left: Guest) -> None:
    eve, mallory = somebody("Eve"), somebody("Mallory")
    for one, other in ((left, eve), (ada.guest, eve), (mallory, left), (ada.guest, left)):
        accounts.block(one, other)
    accounts.join_guests(left, ada)
    pairs = set(Block.objects.values_list("blocker", "blocked"))
    assert pairs == {(ada.guest_id, eve.pk), (mallory.pk, ada.guest_id)}


def test_nobody_waits_for_themselves(ada: User, left: Guest) -> None:
    own = sought(left, game="rings", least=3, most=3)
    lobby.accept(own.code, ada.guest)
    others = sought(somebody(), game="rings", least=3, most=4)
    for guest in (left, ada.guest):
        lobby.accept(others.code, guest)
    assert Seek.objects.get(pk=others.pk).starts_at
    challenge = sought(left, "challenge", kind=Seek.Kind.CHALLENGE, invitees=[ada.guest])
    same = sought(somebody(), kind=Seek.Kind.CHALLENGE, invitees=[left, ada.guest], most=2)
    accounts.join_guests(left, ada)
    assert find_seek(own.code).numbers == {ada.guest_id}
    assert not Place.objects.filter(seek=own).exists()
    assert find_seek(others.code).places[0].guest == ada.guest and len(find_seek(others.code).places) == 1
    assert Seek.objects.get(pk=others.pk).starts_at is None, "they are too few again"
    assert Seek.objects.get(pk=challenge.pk).ending == Seek.Ending.WITHDRAWN
    assert Invitee.objects.get(seek=same).guest == ada.guest
    assert lobby.accept(same.code, ada.guest).table


def test_a_key_that_both_have_used_is_two_seeks(ada: User, left: Guest) -> None:
    first, second = sought(ada.guest, "same"), sought(left, "same")
    accounts.join_guests(left, ada)
    assert {row.owner for row in Seek.objects.all()} == {ada.guest} and first != second
    assert sought(ada.guest, "same") == first


def test_the_tables_learn_of_the_users_time_off(ada: User, left: Guest) -> None:
    eve = make_user("eve").guest
    row = begun(left, eve, control=DAYS)
    for _ in range(3):
        vacations.choose_time_off(left, RegularTimeOff(weekend=(0,)))
    tables.settle(row.code)
    vacations.choose_time_off(ada.guest, RegularTimeOff(weekend=(6,)))
    accounts.join_guests(left, ada)
    table = tables.settle(row.code)
    assert table is not None and table.clock.calendars[0].weekend == (6,)
