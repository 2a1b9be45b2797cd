"""Notices that are off by default: new seeks, once a day, and chat messages at tables."""

import pytest

from kakomi.server.accounts.models import Block, Guest
from kakomi.server.chat.services import set_messages_off, write_message
from kakomi.server.lobby.notices import notify_new_seeks
from kakomi.server.notices.models import Notice
from kakomi.server.notices.preferences import CHANNELS, preferences_of, save_preference
from kakomi.server.notices.services import count_unread, mark_all_read
from kakomi.server.site import clock
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from server.correspondence import begun
from server.lobby_people import DAYS, somebody, sought

pytestmark = pytest.mark.django_db
DAY = 24 * 3600.0


@pytest.fixture
def people() -> tuple[Guest, Guest]:
    return somebody("Ada", account=True), somebody("Bob", account=True)


@pytest.fixture
def row(people: tuple[Guest, Guest]) -> models.Table:
    return begun(*map(Sitter, people), game="ren", options={"size": 4})


def told(guest: Guest, kind: str) -> int:
    return Notice.objects.filter(guest=guest, kind=kind).count()


def test_nobody_is_told_who_does_not_wish_it(people: tuple[Guest, Guest], row: models.Table) -> None:
    ada, bob = people
    write_message(row, ada, "hello", "1")
    sought(somebody("Cleo", account=True), control=DAYS)
    notify_new_seeks()
    assert not Notice.objects.filter(kind__in=("table_message", "new_seeks")).exists()
    assert not any(preferences_of(bob)["table_message"][channel] for channel in CHANNELS)


def test_new_seeks_are_told_once_a_day(people: tuple[Guest, Guest], row: models.Table) -> None:
    ada, _ = people
    cleo = somebody("Cleo", account=True)
    save_preference(ada, "new_seeks", "mail", is_on=True)
    at = clock.now()
    with clock.time_from(lambda: at):
        for key in ("one", "two"):
            sought(cleo, key, control=DAYS)
            notify_new_seeks()
    assert told(ada, "new_seeks") == 1
    assert Notice.objects.get(kind="new_seeks").data == {"titles": "Ren", "address": "/lobby/"}
    at += DAY + 60
    with clock.time_from(lambda: at):
        notify_new_seeks()
        assert told(ada, "new_seeks") == 1, "both are a day old"
        sought(cleo, "three", control=DAYS)
        notify_new_seeks()
    assert told(ada, "new_seeks") == 2


def test_seeks_are_told_that_one_could_join(people: tuple[Guest, Guest], row: models.Table) -> None:
    ada, bob = people
    save_preference(ada, "new_seeks", "mail", is_on=True)
    Block.objects.create(blocker=ada, blocked=bob)
    sought(ada, "own", control=DAYS)
    sought(bob, "of one who is blocked", control=DAYS)
    sought(somebody("Cleo", account=True), "another game", game="rin", control=DAYS)
    sought(somebody("Dan"), "live")
    sought(somebody("Eve", account=True), "for others", control=DAYS, rating_low=3000)
    notify_new_seeks()
    assert not Notice.objects.filter(kind="new_seeks").exists()


def test_messages_are_told_once_a_day_or_once_they_are_read(
    people: tuple[Guest, Guest], row: models.Table
) -> None:
    ada, bob = people
    save_preference(bob, "table_message", "mail", is_on=True)
    at = clock.now()
    with clock.time_from(lambda: at):
        for number in range(3):
            write_message(row, ada, f"hello {number}", f"{number}")
        write_message(row, bob, "hello back", "back")
        assert (told(bob, "table_message"), told(ada, "table_message")) == (1, 0)
        mark_all_read(bob)
        write_message(row, ada, "still there?", "4")
        assert told(bob, "table_message") == 2
        at += DAY + 1
        write_message(row, ada, "a day later", "5")
    assert told(bob, "table_message") == 3


def test_who_wants_no_messages_is_told_of_none(people: tuple[Guest, Guest], row: models.Table) -> None:
    ada, bob = people
    save_preference(bob, "table_message", "mail", is_on=True)
    set_messages_off(bob, is_off=True)
    write_message(row, ada, "hello", "1")
    assert told(bob, "table_message") == 0


def test_what_is_wished_by_mail_is_not_on_the_page(people: tuple[Guest, Guest], row: models.Table) -> None:
    ada, bob = people
    mark_all_read(bob)
    before = count_unread(bob)
    save_preference(bob, "table_message", "mail", is_on=True)
    write_message(row, ada, "hello", "1")
    assert count_unread(bob) == before
    save_preference(bob, "table_message", "page", is_on=True)
    assert count_unread(bob) == before + 1
