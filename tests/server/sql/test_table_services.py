"""Tables in the database: each deed exactly once, and nothing on a stale view."""

import pytest
from django.db import transaction

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.server.accounts.models import Guest
from kakomi.server.realtime import BROKER
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.command_handlers import handle_turn
from kakomi.server.tables.commands import Confirm, Stale, Touch, TurnCommand, Untouch, turn_of
from kakomi.server.tables.selectors import TableCache
from kakomi.server.tables.services import Sitter, TableChange
from kakomi.session import MatchConfig, Refused

pytestmark = pytest.mark.django_db
RIN = MatchConfig(catalog.game("rin", size=4))


def opened(name: str = "rin", **options: int) -> models.Table:
    guest = Guest.objects.create()
    game = catalog.game(name, **(options or {"size": 4}))
    return services.begin(MatchConfig(game), [Sitter(guest)] * game.players)


def play(row: models.Table, text: str, key: str, base: int | None = None) -> models.Table:
    seat = selectors.table_of(row).to_act
    base = row.entries if base is None else base
    return services.add(row.code, [("play", text)], seat=seat, base=base, key=key)[0]


def test_a_deed_is_done_once_however_often_it_is_sent() -> None:
    row = opened()
    for _ in range(3):
        row = play(row, "1,1", "same-key", base=0)
    assert row.entries == row.log.count() == 1


def test_who_has_not_seen_the_last_entry_can_not_add_one() -> None:
    row = play(opened(), "1,1", "first")
    with pytest.raises(Stale):
        play(row, "2,2", "second", base=0)
    assert row.log.count() == 1


def test_what_is_not_allowed_leaves_nothing_behind() -> None:
    row = play(opened(), "1,1", "first")
    with pytest.raises(IllegalAction):
        services.add(row.code, [("play", "2,2"), ("play", "1,1")], seat=1, base=1, key="turn")
    row.refresh_from_db()
    assert row.entries == row.log.count() == 1
    assert selectors.table_of(row).match.position.stones() == {"1,1": 0}


def test_a_table_follows_from_its_log_alone() -> None:
    row = opened()
    for number, text in enumerate(("1,1", "2,2", "0,1", "3,3")):
        row = play(row, text, f"key-{number}")
    fresh = TableCache().table_of(row)
    assert fresh.entries == 4
    assert fresh.match.position == selectors.table_of(row).match.position


@pytest.mark.django_db(transaction=True)  # kept once it is committed
def test_what_is_remembered_goes_on_with_the_log() -> None:
    memory, row = TableCache(), opened()
    for number, text in enumerate(("1,1", "2,2", "0,1", "3,3")):
        row = play(row, text, f"key-{number}")
        if number != 1:  # another process made the second action
            memory.table_of(row)
    assert memory.table_of(row).match.position == selectors.table_of(row).match.position


@pytest.mark.django_db(transaction=True)  # kept once it is committed
def test_what_is_remembered_yields_to_a_database_that_was_put_back() -> None:
    memory, row = TableCache(), opened()
    before = models.Table.objects.get(pk=row.pk)
    for number, text in enumerate(("1,1", "2,2")):
        row = play(row, text, f"key-{number}")
    memory.table_of(row)
    row.log.all().delete()
    before.save()
    assert memory.table_of(before).entries == 0
    memory.remember(row, TableCache().table_of(before))
    for number, text in enumerate(("3,3", "0,0", "0,1")):
        before = play(before, text, f"other-{number}")
    assert memory.table_of(before).match.position.stones() == {"3,3": 0, "0,0": 1, "0,1": 1}


@pytest.mark.django_db(transaction=True)  # kept once it is committed
def test_only_so_much_is_remembered() -> None:
    memory, rows = TableCache(most=5), [opened(), opened()]
    for number, text in enumerate(("1,1", "2,2", "0,1")):
        for place, row in enumerate(rows):
            rows[place] = play(row, text, f"key-{number}")
            assert memory.table_of(rows[place]).entries == number + 1
    assert memory.positions == 4
    assert [memory.table_of(row).entries for row in rows] == [3, 3]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is announced from now on: topics and the numbers of their news."""
    events: list[tuple[str, int]] = []

    def hear(code: str, news: int, *, to_bots: bool = False) -> None:
        events.append((code, news))

    monkeypatch.setattr(BROKER, "announce", hear)
    return events


@pytest.mark.django_db(transaction=True)
def test_what_an_outer_transaction_takes_back_was_never_announced(heard: list[tuple[str, int]]) -> None:
    row, free = opened(), services.begin(RIN, [Sitter(Guest.objects.create()), Sitter()])
    heard.clear()
    with writing():
        play(row, "1,1", "first")
        opened()
        services.sit_down(free.seats.get(guest=None), Guest.objects.create())
        services.tell_viewers([row.pk])
        transaction.set_rollback(True)
    assert heard == []
    with writing():
        row = play(models.Table.objects.get(pk=row.pk), "1,1", "first")
        assert heard == []
    assert heard == [(row.code, row.news)]


@pytest.mark.django_db(transaction=True)
def test_what_an_outer_transaction_takes_back_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    row = opened()
    with writing():
        taken_back = play(row, "1,1", "first")
        assert selectors.table_of(taken_back).entries == 1
        transaction.set_rollback(True)
    played = models.Table.objects.get(pk=row.pk)
    assert played.entries == 0
    with clock.time_from(lambda: 5e9), monkeypatch.context() as patch:  # another process, under the same key
        there = TableCache()
        for module in (services, selectors):
            patch.setattr(module, "CACHE", there)
        play(played, "1,1", "first")
    assert selectors.table_of(models.Table.objects.get(pk=row.pk)).at == 5e9


def touch(
    row: models.Table, seat: models.Seat, seen: tuple[str, ...], action: str, key: str, base: int
) -> None:
    within_turn(row, seat, Touch(action, seen), base, key)


def within_turn(row: models.Table, seat: models.Seat, command: TurnCommand, base: int, key: str = "") -> None:
    handle_turn(TableChange(row, selectors.table_of(row)), seat, command, base, key)


def test_a_turn_is_built_up_and_sent() -> None:
    row = play(opened(), "1,1", "first")
    seat = row.seats.get(number=1)
    touch(row, seat, (), "2,2", "k1", 1)
    touch(row, seat, ("2,2",), "3,3", "k2", 1)
    touch(row, seat, ("2,2",), "3,3", "k2", 1)  # a second click on the same point
    built = turn_of(selectors.table_of(row), row.seats.get(number=1))
    assert built.actions == ("2,2", "3,3")
    assert built.is_complete
    assert row.log.count() == 1
    within_turn(row, seat, Untouch(("2,2", "3,3")), 1)
    touch(row, seat, ("2,2",), "0,0", "k3", 1)
    within_turn(row, seat, Confirm(("2,2", "0,0")), 1, "k4")
    assert [line.content["value"] for line in row.log.all()] == ["1,1", "2,2", "0,0"]


def test_a_turn_seen_in_another_tab_is_stale() -> None:
    row = play(opened(), "1,1", "first")
    here, there = row.seats.get(number=1), row.seats.get(number=1)
    touch(row, here, (), "2,2", "k1", 1)
    with pytest.raises(Stale):
        touch(row, there, (), "3,3", "k2", 1)
    with pytest.raises(Stale):
        touch(row, row.seats.get(number=1), (), "3,3", "k3", 1)


def test_nothing_is_added_at_a_table_that_is_not_there() -> None:
    with pytest.raises(models.Table.DoesNotExist):
        services.add("nowhere", [("play", "1,1")], seat=0, base=0, key="a-good-key")


def test_an_action_is_taken_back_once_and_only_as_it_was_seen() -> None:
    row = play(opened(), "1,1", "first")

    def untouch(*seen: str) -> None:
        outcome = TableChange(row, selectors.table_of(row))
        handle_turn(outcome, row.seats.get(number=1), Untouch(seen), base=1, key="a-good-key")

    touch(row, row.seats.get(number=1), (), "2,2", "k1", 1)
    with pytest.raises(Stale):
        untouch("3,3")
    untouch("2,2")
    untouch("2,2")  # sent twice
    untouch()
    assert turn_of(selectors.table_of(row), row.seats.get(number=1)).actions == ()


def test_a_whole_turn_of_one_action_is_sent_at_once() -> None:
    row = opened()
    touch(row, row.seats.get(number=0), (), "1,1", "k1", 0)
    assert row.log.count() == 1


def test_who_does_not_confirm_sends_every_action() -> None:
    row = play(opened(), "1,1", "first")
    seat = row.seats.get(number=1)
    seat.guest.confirms_turns = False
    touch(row, seat, (), "2,2", "k1", 1)
    assert row.log.count() == 2


def test_a_complete_turn_takes_no_more() -> None:
    row = play(opened(), "1,1", "first")
    seat = row.seats.get(number=1)
    touch(row, seat, (), "2,2", "k1", 1)
    touch(row, seat, ("2,2",), "3,3", "k2", 1)
    with pytest.raises(Refused, match="complete"):
        touch(row, seat, ("2,2", "3,3"), "0,0", "k3", 1)
