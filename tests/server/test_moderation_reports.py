"""Reports about other people, and their outcomes."""

import pytest
from django.utils import translation

from kakomi.server.accounts.models import Guest, User
from kakomi.server.moderation import reports, services
from kakomi.server.moderation.commands import (
    AnswerAppeal,
    Close,
    Mute,
)
from kakomi.server.moderation.models import Measure, Report
from kakomi.server.moderation.presenters import open_cases
from kakomi.server.moderation.reports import Complaint
from kakomi.server.notices.models import Notice
from kakomi.server.notices.preferences import preferences_of
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.tables import services as table_services
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from kakomi.session.time_control import DAY
from server.lobby_people import somebody
from server.moderated import decide, table_of
from server.people import make_user
from server.rated_games import at_moment
from server.staff import make_staff

pytest_plugins = ("server.moderation_fixtures",)
pytestmark = pytest.mark.django_db
START = 1_800_000_000.0


def test_a_report_comes_once_and_its_reporter_hears_of_it(staff: User, bob: Guest) -> None:
    ann = make_user("ann").guest
    first = reports.file_report(ann, Complaint(bob, "conduct", "never moves"))
    assert reports.file_report(ann, Complaint(bob, "conduct", "still doesn’t")) == first
    other = reports.file_report(ann, Complaint(bob, "name"))
    assert first.case == other.case and first.case.version == 1
    decide(staff, bob, Mute(1))
    decide(staff, bob, Close(), "muted")
    assert set(Report.objects.values_list("outcome", flat=True)) == {"acted"}
    told = Notice.objects.filter(guest=ann, kind="report_answered")
    assert told.count() == 2 and all("mute" not in str(notice.data).casefold() for notice in told)
    again = reports.file_report(ann, Complaint(bob, "conduct", "does it again"))
    assert again.case != first.case and again.case.closed_at is None


def test_staff_hear_of_each_report_and_appeal_but_not_of_their_own(staff: User, bob: Guest) -> None:
    ann, other, plain = make_user("ann").guest, make_staff("other", "moderate"), make_staff("plain")
    first = reports.file_report(ann, Complaint(bob, "conduct", "never moves"))
    told = Notice.objects.filter(kind="case")
    assert {notice.guest for notice in told} == {staff.guest, other.guest}, "those who may moderate"
    view = NoticeView(told.get(guest=staff.guest))
    said = f"Case {first.case_id}, {bob}: Stalling, leaving or sabotaging games"
    assert (view.words, view.address) == (said, f"/moderation/case/{first.case_id}")
    with translation.override("de"):
        assert "Stalling" not in view.words
        reports.file_report(other.guest, Complaint(staff.guest, "name"))
    assert told.all().count() == 2, "neither who is reported nor who reports"
    decide(staff, bob, Mute(1))
    made = services.appeal(Measure.objects.get().pk, bob, "I did move")
    assert told.all().count() == 4 and made.measure.case_id == first.case_id
    decide(other, bob, AnswerAppeal(made.measure_id, is_granted=False))
    decide(staff, bob, Close(), "muted")
    assert not told.filter(read_at=None).exists()
    for guest, is_asked in ((staff.guest, True), (plain.guest, True), (ann, False)):
        assert ("case" in preferences_of(guest)) == is_asked


def test_reports_have_a_budget(bob: Guest) -> None:
    ann = make_user("ann").guest
    with at_moment(START):
        for number in range(reports.PER_DAY):
            reports.file_report(ann, Complaint(make_user(f"p{number}").guest, "other"))
        with pytest.raises(Refused, match="You’ve sent many reports today"):
            reports.file_report(ann, Complaint(bob, "other"))
    with at_moment(START + DAY + 1):
        assert reports.file_report(ann, Complaint(bob, "other")).pk


def test_guests_report_those_with_whom_they_sit(bob: Guest) -> None:
    guest, row = Guest.objects.create(), table_of(Sitter(bob), Sitter())
    with pytest.raises(Refused, match="Without an account"):
        reports.file_report(guest, Complaint(bob, "other"))
    with pytest.raises(Refused, match="Without an account"):
        reports.file_report(guest, Complaint(bob, "other", table=row))
    assert table_services.sit_down(row.seats.get(guest=None), guest)
    assert reports.file_report(guest, Complaint(bob, "other", table=row)).pk


@pytest.mark.parametrize(("kind", "text"), [("nonsense", ""), ("other", "x" * 501)])
def test_what_is_no_report(bob: Guest, kind: str, text: str) -> None:
    with pytest.raises(Refused):
        reports.file_report(make_user("ann").guest, Complaint(bob, kind, text))


def test_nobody_reports_themselves(bob: Guest) -> None:
    with pytest.raises(Refused, match="yourself"):
        reports.file_report(bob, Complaint(bob, "other"))


def test_appeals_stand_first_then_what_more_people_report_and_accounts_before_guests(
    staff: User, bob: Guest
) -> None:
    ann, cleo, dan, eve = (make_user(name).guest for name in ("ann", "cleo", "dan", "eve"))
    row = table_of(Sitter(eve), Sitter(one := somebody()))
    for kind in ("other", "conduct"):
        reports.file_report(one, Complaint(eve, kind, table=row))
    reports.file_report(ann, Complaint(dan, "other"))
    reports.file_report(ann, Complaint(bob, "other"))
    reports.file_report(cleo, Complaint(bob, "name"))
    assert [case.about for case in open_cases()] == [bob, dan, eve]
    decide(staff, eve, Mute(7))
    services.appeal(Measure.objects.get().pk, eve, "It was my brother.")
    assert [case.about for case in open_cases()] == [eve, bob, dan]
