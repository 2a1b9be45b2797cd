"""Tests that the season's audit finds faults with moderation."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db.models import QuerySet

from kakomi.server.accounts.models import Guest, User
from kakomi.server.chat import services as chat
from kakomi.server.chat.models import Message
from kakomi.server.moderation import reports, services
from kakomi.server.moderation.commands import (
    Annul,
    AnswerAppeal,
    Close,
    Command,
    Lift,
    Mute,
    Submission,
    Suspend,
)
from kakomi.server.moderation.models import AuditEntry, Measure
from kakomi.server.notices.models import Notice
from kakomi.server.ratings.models import Ruling
from kakomi.server.tables import models as tables
from kakomi.server.tables.services import Sitter
from kakomi.session.time_control import DAY
from season import moderation_audit
from server.correspondence import begun
from server.people import make_user
from server.rated_games import at_moment, play_rated
from server.staff import make_staff

pytestmark = pytest.mark.django_db
START = 1_800_000_000.0


@pytest.fixture
def table() -> tables.Table:
    """A table with messages, one of whose players was then subjected to all kinds of measures."""
    with at_moment(START):
        people = [make_user(name).guest for name in ("ann", "bob")]
        row = begun(*map(Sitter, people), game="rin", options={"size": 4})
        result = play_rated(*people)
        said = chat.write_message(row, people[1], "You are slow.", "first")
        chat.write_message(row, people[1], "Very slow.", "second")
    with at_moment(START + DAY):
        staff, other = make_staff("staff", "moderate"), make_staff("other", "moderate")
        reports.file_report(people[0], reports.Complaint(people[1], "conduct", "rude", row))
        chat.remove_message(said, staff, "rude", "removal")
        decide(staff, people[1], Annul(result.table.code))
        decide(staff, people[1], Mute(2))
        decide(staff, people[1], Suspend(3))
        decide(staff, people[1], Lift(Measure.objects.get(kind="mute").pk))
        decide(staff, people[1], Close())
        services.appeal(Measure.objects.get(kind="suspension").pk, people[1], "I am not rude.")
        decide(other, people[1], AnswerAppeal(Measure.objects.get(kind="suspension").pk, is_granted=False))
    return row


def decide(by: User, guest: Guest, command: Command) -> None:
    case = services.open_case(guest, by, "opened", "seen")
    services.decide(case.pk, by, Submission(command, "seen", f"{command}"[:60], case.version))


def found(tmp_path: Path, *done: dict[str, object], days: float = 2) -> list[str]:
    path = tmp_path / "done.jsonl"
    path.write_text("".join(json.dumps(deed) + "\n" for deed in done))
    with at_moment(START + days * DAY):
        return list(moderation_audit.findings(path))


def test_all_is_in_order_while_measures_hold_and_after_they_end(table: tables.Table, tmp_path: Path) -> None:
    assert found(tmp_path) == [] and found(tmp_path, days=9) == []
    assert moderation_audit.figures()["appeals"] == 1


def _entries(act: str) -> "QuerySet[AuditEntry]":
    return QuerySet(AuditEntry).filter(act=act)


def _lose_an_entry(act: str) -> Callable[[tables.Table], object]:
    def lose(row: tables.Table) -> None:
        _entries(act).delete()

    return lose


def _note_twice(row: tables.Table) -> None:
    entry = AuditEntry.objects.get(act="suspension")
    AuditEntry.objects.create(
        key="again", by=entry.by, about=entry.about, act=entry.act, data=entry.data, at=0
    )


def _begin_while_suspended(row: tables.Table) -> None:
    begun_at = START + 2 * DAY
    tables.Table.objects.filter(pk=row.pk).update(begun={**row.begun, "at": begun_at})


@pytest.mark.parametrize(
    "break_it",
    [
        _lose_an_entry("suspension"),
        _note_twice,
        _begin_while_suspended,
        lambda row: Notice.objects.filter(kind="measure").first().delete(),
        lambda row: Ruling.objects.all().delete(),
        lambda row: Message.objects.update(text="the same"),
    ],
)
def test_what_is_wrong_is_found(
    break_it: Callable[[tables.Table], object], table: tables.Table, tmp_path: Path
) -> None:
    break_it(table)
    assert found(tmp_path)


def test_a_measure_that_does_not_end_is_found(
    table: tables.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suspension = Measure.objects.select_related("about").get(kind="suspension")
    monkeypatch.setattr(
        moderation_audit, "barred_from_games", lambda people: {suspension.about_id: suspension}
    )
    assert found(tmp_path) == [] and len(found(tmp_path, days=9)) == 1
    monkeypatch.undo()
    monkeypatch.setattr(moderation_audit, "mute_of", lambda guest: suspension)
    assert found(tmp_path) == [] and len(found(tmp_path, days=9)) == 1


def test_what_was_said_to_be_done_is_there(table: tables.Table, tmp_path: Path) -> None:
    ann, bob = (seat.guest_id for seat in table.seats.all())
    staff = User.objects.get(username="staff").guest_id
    done = [
        {"kind": "decide", "person": staff, "key": f"{Mute(2)}"[:60]},
        {"kind": "report", "person": ann, "about": bob, "what": "conduct", "code": table.code},
        {"kind": "say", "person": bob, "code": table.code, "key": "second"},
    ]
    assert found(tmp_path, *done) == []
    lost = [{**done[0], "key": "lost"}, {**done[1], "what": "name"}, {**done[2], "key": "lost"}]
    assert len(found(tmp_path, *lost, {"kind": "erase", "person": bob})) == 4
