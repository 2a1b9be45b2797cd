"""What apps that are built on tables hear, and what answers an entry at once."""

import pytest

from kakomi import catalog
from kakomi.server.site import clock
from kakomi.server.tables import extensions, models, selectors, services
from kakomi.server.tables.extensions import Response, entries_added, seat_taken, table_opened
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from server.people import make_user

pytestmark = pytest.mark.django_db


def _opened(control: TimeControl | None = None, *, rated: bool = False) -> models.Table:
    terms = MatchConfig(catalog.game("ren", size=7))
    return services.begin(terms, [Sitter(make_user("grace").guest), Sitter()], control, is_rated=rated)


def _play(row: models.Table, action: str, seat: int = 0) -> services.TableChange:
    row.refresh_from_db()
    return services.add(row.code, [("play", action)], seat=seat, base=row.entries, key=f"key-{row.entries}")


@pytest.fixture
def heard():
    events = []

    def listen(signal, **what):
        events.append((signal, what))

    for signal in (table_opened, seat_taken, entries_added):
        signal.connect(listen)
    yield events
    for signal in (table_opened, seat_taken, entries_added):
        signal.disconnect(listen)


def test_what_happens_at_a_table_is_heard_in_order(heard):
    row = _opened(TimeControl(60), rated=True)
    guest = make_user("ada").guest
    services.sit_down(row.seats.get(number=1), guest)
    _play(row, "a1")
    (opened, first), (taken, second), (added, third) = heard
    assert (opened, taken, added) == (table_opened, seat_taken, entries_added)
    assert first["row"] == row and first["row"].is_rated
    assert second["seat"].number == 1 and second["guest"] == guest
    assert [entry.value for entry in third["entries"]] == ["a1"]
    assert [entry.kind for entry in third["table"].history] == ["seated", "play"]
    assert third["before"].entries == 1


@pytest.mark.django_db(transaction=True)
def test_a_receiver_that_fails_undoes_the_entry(request):
    def fail(**what):
        raise ValueError("no")

    row = _opened()
    entries_added.connect(fail)
    request.addfinalizer(lambda: entries_added.disconnect(fail))
    with pytest.raises(ValueError, match="no"):
        _play(row, "a1")
    row.refresh_from_db()
    assert row.entries == 0 and not row.log.exists() and selectors.table_of(row).entries == 0


def test_an_answer_is_added_with_what_it_answers(monkeypatch, heard):
    def respond(row, table):
        return Response(1, [("play", "a2")], "answer.1") if table.to_act == 1 else None

    row = _opened()
    monkeypatch.setattr(extensions, "RESPONDERS", [respond])
    outcome = _play(row, "a1")
    assert [entry.value for entry in outcome.table.history] == ["a1", "a2"]
    assert outcome.row.entries == 2 and row.log.count() == 2
    assert [len(what["entries"]) for signal, what in heard if signal is entries_added] == [2]


def test_the_moment_of_the_end_is_kept():
    with clock.time_from(lambda: 5e9):
        row = _opened()
        services.add(row.code, [("resign", None)], seat=0, base=0, key="key-resign")
    row.refresh_from_db()
    assert row.is_over and row.ended_at == 5e9


def test_the_time_is_the_databases_own_if_it_has_one():
    before = clock.now()
    assert 1.7e9 < before <= clock.now()
