"""Staff's decisions: what they restrict, that each takes effect once, and that it is logged."""

import pytest
from django.db import IntegrityError, transaction

from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import join_guests
from kakomi.server.lobby import services as lobby
from kakomi.server.lobby.conditions import barred_people
from kakomi.server.lobby.selectors import find_seek
from kakomi.server.moderation import erasure_requests, reports, restrictions, services
from kakomi.server.moderation.commands import (
    Annul,
    AnswerAppeal,
    Close,
    DemandName,
    Lift,
    Mute,
    Submission,
    Suspend,
)
from kakomi.server.moderation.models import AuditEntry, Case, Measure
from kakomi.server.moderation.presenters import open_cases
from kakomi.server.moderation.reports import Complaint
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.people.erasure import erase
from kakomi.server.ratings.jobs import rate_results
from kakomi.server.ratings.models import CurrentRating, Result
from kakomi.server.site.exceptions import Conflict
from kakomi.server.tables import services as table_services
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from kakomi.session.time_control import DAY
from server.lobby_people import sought
from server.moderated import case_about, decide, table_of
from server.people import make_user
from server.rated_games import at_moment, play_rated
from server.staff import make_staff
from server.table_client import Person, now, opened

pytest_plugins = ("server.moderation_fixtures",)
pytestmark = pytest.mark.django_db
START = 1_800_000_000.0


# The effects of a suspension


def test_a_suspension_ends_by_itself_and_says_when(staff: User, bob: Guest) -> None:
    ann = make_user("ann").guest
    with at_moment(START):
        decide(staff, bob, Suspend(7))
        with pytest.raises(Refused, match="suspended until 2027-01-22 08:00"):
            table_of(Sitter(bob), Sitter())
        with pytest.raises(Refused):
            table_of(Sitter(ann), Sitter(bob))
    with at_moment(START + 7 * DAY - 1), pytest.raises(Refused):
        table_of(Sitter(bob), Sitter())
    with at_moment(START + 7 * DAY):
        assert table_of(Sitter(bob), Sitter()).pk


def test_suspended_people_play_bots_and_on_where_they_sit(staff: User, bob: Guest) -> None:
    ann = make_user("ann").guest
    row = table_of(Sitter(ann), Sitter(bob))
    decide(staff, bob, Suspend(7))
    first = now(row).match.position.legal()[0]
    table_services.add(row.code, [("play", first)], seat=0, base=0, key="a")
    row.refresh_from_db()
    assert now(row).to_act in (0, 1) and not row.is_over
    assert table_of(Sitter(bob), Sitter(bot="1")).pk
    assert table_of(Sitter(bob), Sitter(bob)).pk  # two people at one screen


def test_they_sit_down_nowhere_and_nobody_sits_down_with_them(staff: User, bob: Guest) -> None:
    ann = make_user("ann").guest
    waiting, of_bob = table_of(Sitter(ann), Sitter()), table_of(Sitter(bob), Sitter())
    decide(staff, bob, Suspend(7))
    with pytest.raises(Refused, match="suspended until"):
        table_services.sit_down(waiting.seats.get(guest=None), bob)
    with pytest.raises(Refused) as refused:
        table_services.sit_down(of_bob.seats.get(guest=None), ann)
    assert "suspended" not in str(refused.value)  # others aren't told
    assert waiting.seats.filter(guest=None).exists() and of_bob.seats.filter(guest=None).exists()


def test_the_invitation_says_why(staff: User) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, Sitter(), size=4)
    decide(staff, bob.guest, Suspend(7))
    seat = row.seats.get(guest=None)
    answer = bob.client.post(f"/join/{seat.invitation}", {"name": "Bob"})
    assert answer.status_code == 422 and "You’re suspended until" in answer.content.decode()


def test_another_name_ends_the_demand_for_one(staff: User, bob: Guest) -> None:
    decide(staff, bob, DemandName())
    with pytest.raises(Refused, match="another name"):
        table_of(Sitter(bob), Sitter())
    bob.name = "Robert"
    bob.save()
    assert table_of(Sitter(bob), Sitter()).pk
    bob.name = "Bob"  # back to the old one
    bob.save()
    with pytest.raises(Refused):
        table_of(Sitter(bob), Sitter())


def test_the_lobby_knows_it(staff: User, bob: Guest) -> None:
    seek = sought(bob)
    assert barred_people(find_seek(seek.code)) == set()
    decide(staff, bob, Suspend(7))
    assert barred_people(find_seek(seek.code)) == {bob.pk}
    with pytest.raises(Refused, match="suspended until"):
        sought(bob, "another")
    with pytest.raises(Refused, match="suspended until"):
        lobby.accept(sought(make_user("ann").guest).code, bob)


# Each action takes effect once, with its log entry


def test_each_deed_is_done_once_and_noted_with_it(staff: User, bob: Guest) -> None:
    case = case_about(bob)
    sent = Submission(Mute(3), "insults", "one-key", case.version)
    for _ in range(2):
        services.decide(case.pk, staff, sent)
    measure, entry = Measure.objects.get(), AuditEntry.objects.get()
    assert (entry.act, entry.reason, entry.by, entry.about) == ("mute", "insults", staff, bob)
    assert entry.data == {"case": case.pk, "measure": measure.pk}
    assert (
        restrictions.mute_of(bob) == measure and Notice.objects.filter(guest=bob, kind="measure").count() == 1
    )


def test_what_fails_leaves_no_entry(staff: User, bob: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_about(bob)
    monkeypatch.setattr(
        services, "log_action", lambda *_: (_ for _ in ()).throw(IntegrityError("the log is full"))
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        services.decide(case.pk, staff, Submission(Mute(3), "insults", "key", case.version))
    assert not Measure.objects.exists() and not AuditEntry.objects.exists() and not Notice.objects.exists()


def test_who_has_not_seen_the_last_deed_does_nothing(staff: User, bob: Guest) -> None:
    case = case_about(bob)
    services.decide(case.pk, staff, Submission(Mute(3), "insults", "one", 1))
    with pytest.raises(Conflict):
        services.decide(case.pk, make_staff("cleo", "moderate"), Submission(Suspend(3), "insults", "two", 1))
    services.decide(case.pk, staff, Submission(Close(), "done", "three", 2))
    with pytest.raises(Conflict, match="closed"):
        services.decide(case.pk, staff, Submission(Mute(3), "again", "four", 3))


def test_nobody_decides_about_themselves_or_their_bots(staff: User) -> None:
    bot = make_user("bot-of-staff", owner=staff).guest
    for guest in (staff.guest, bot):
        case = case_about(guest)
        with pytest.raises(Refused, match="This is about you"):
            services.decide(case.pk, staff, Submission(Close(), "nothing to see", "key", case.version))
        with pytest.raises(Refused, match="This is about you"):
            services.open_case(guest, staff, "k", "look")


def test_the_log_only_grows(staff: User, bob: Guest) -> None:
    decide(staff, bob, Mute(1))
    entry = AuditEntry.objects.get()
    entry.reason = "something else"
    for change in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(reason=""),
    ):
        with pytest.raises(TypeError):
            change()
    assert AuditEntry.objects.get().reason == "seen in the games"


def test_a_measure_is_taken_back_once(staff: User, bob: Guest) -> None:
    decide(staff, bob, Suspend(7))
    measure = Measure.objects.get()
    decide(staff, bob, Lift(measure.pk), "a mistake")
    assert table_of(Sitter(bob), Sitter()).pk
    with pytest.raises(Refused, match="This restriction has already ended"):
        decide(staff, bob, Lift(measure.pk), "again", key="again")
    with pytest.raises(Refused, match="This player has no such restriction"):
        decide(staff, make_user("cleo").guest, Lift(measure.pk), "of somebody else")


def test_an_annulled_result_is_rated_out_and_in_again(staff: User, bob: Guest) -> None:
    ann = make_user("ann").guest
    result = play_rated(bob, ann)
    rate_results()
    before = CurrentRating.objects.get(guest=bob).mean
    decide(staff, bob, Annul(result.table.code))
    rate_results()
    assert Result.objects.get().is_annulled
    assert CurrentRating.objects.get(guest=bob).mean != before
    decide(staff, bob, Lift(Measure.objects.get().pk), "it was a real game")
    rate_results()
    assert CurrentRating.objects.get(guest=bob).mean == before
    with pytest.raises(Refused, match="no rated result"):
        decide(staff, make_user("cleo").guest, Annul(result.table.code), key="cleo")


def test_staff_who_played_in_a_game_do_not_annul_it(bob: Guest) -> None:
    staff = make_staff("staff", "moderate")
    result = play_rated(bob, staff.guest)
    with pytest.raises(Refused, match="You played in this game: another moderator has to decide"):
        decide(staff, bob, Annul(result.table.code))


# Appeals


def test_an_appeal_is_made_once_and_answered_by_somebody_else(staff: User, bob: Guest) -> None:
    case = decide(staff, bob, Suspend(7))
    decide(staff, bob, Close())
    measure = Measure.objects.get()
    made = services.appeal(measure.pk, bob, "It was my brother.")
    assert services.appeal(measure.pk, bob, "And my sister.") == made
    fresh = Case.objects.get(closed_at=None)
    assert fresh != case and open_cases()[0] == fresh
    cleo = make_staff("cleo", "moderate")
    with pytest.raises(Refused, match="another moderator"):
        decide(staff, bob, AnswerAppeal(measure.pk, is_granted=False), "no")
    with pytest.raises(Refused, match="Answer the pending appeal first"):
        decide(cleo, bob, Close(), "done")
    decide(cleo, bob, AnswerAppeal(measure.pk, is_granted=True), "brothers happen")
    assert table_of(Sitter(bob), Sitter()).pk
    notice = Notice.objects.get(kind="appeal_decided")
    assert notice.guest == bob and "brothers happen" in NoticeView(notice).words


def test_who_is_alone_answers_their_own_appeals(staff: User, bob: Guest) -> None:
    decide(staff, bob, Suspend(7))
    services.appeal(Measure.objects.get().pk, bob, "It was my brother.")
    decide(staff, bob, AnswerAppeal(Measure.objects.get().pk, is_granted=False), "it wasn’t")
    with pytest.raises(Refused, match="There is no pending appeal"):
        decide(staff, bob, AnswerAppeal(Measure.objects.get().pk, is_granted=True), "it was", key="other")


def test_nobody_appeals_against_what_is_not_theirs(staff: User, bob: Guest) -> None:
    decide(staff, bob, Suspend(7))
    measure = Measure.objects.get()
    for guest, text in ((make_user("cleo").guest, "free Bob"), (bob, ""), (bob, "x" * 501)):
        with pytest.raises(Refused):
            services.appeal(measure.pk, guest, text)


# One person in two browsers; erasure


def test_a_suspension_comes_along_to_an_account(staff: User, bob: Guest) -> None:
    left = Guest.objects.create(name="Bobby")
    reports.file_report(make_user("ann").guest, Complaint(left, "other"))
    case_about(bob)
    decide(staff, left, Suspend(7))
    join_guests(left, bob.user)
    with pytest.raises(Refused, match="suspended until"):
        table_of(Sitter(bob), Sitter())
    case = Case.objects.get(closed_at=None)
    assert case.about == bob and case.reports.count() == 1 and case.measures.count() == 1
    assert AuditEntry.objects.get().about == bob


def test_erasure_needs_two_of_staff(staff: User, bob: Guest) -> None:
    erasure_requests.ask(bob, staff, "asked by mail", "ask")
    erasure_requests.ask(bob, staff, "asked by mail", "ask")
    with pytest.raises(Refused, match="another moderator"):
        erasure_requests.confirm(bob, staff, "confirm")
    cleo = make_staff("cleo", "erase")
    erasure_requests.confirm(bob, cleo, "confirm")
    bob.refresh_from_db()
    assert bob.is_erased and not User.objects.filter(username="bob").exists()
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", "reason", "by__username"))
    assert acts == [("erasure asked", "", "staff"), ("erasure", "asked by mail", "cleo")]
    erasure_requests.confirm(bob, cleo, "confirm")


def test_a_request_for_erasure_lapses_and_can_be_withdrawn(staff: User, bob: Guest) -> None:
    cleo = make_staff("cleo", "erase")
    with at_moment(START):
        erasure_requests.ask(bob, staff, "asked by mail", "one")
        with pytest.raises(Conflict, match="already"):
            erasure_requests.ask(bob, cleo, "asked by mail", "two")
    with at_moment(START + erasure_requests.CONFIRM_DAYS * DAY):
        with pytest.raises(Conflict, match="expired or been withdrawn"):
            erasure_requests.confirm(bob, cleo, "three")
        erasure_requests.ask(bob, cleo, "asked again", "four")
        erasure_requests.withdraw(bob, staff, "changed their mind", "five")
        with pytest.raises(Conflict):
            erasure_requests.confirm(bob, staff, "six")
    assert not Guest.objects.get(pk=bob.pk).is_erased


def test_staff_are_not_erased_and_no_name_gets_into_the_log(staff: User, bob: Guest) -> None:
    cleo = make_staff("cleo", "erase")
    with pytest.raises(Refused, match="Moderators’ accounts can’t be deleted"):
        erasure_requests.ask(cleo.guest, staff, "gone", "one")
    with pytest.raises(Refused, match="This is about you"):
        erasure_requests.ask(staff.guest, staff, "gone", "two")
    with pytest.raises(Refused, match="The reason stays in the log: leave out the player’s name"):
        erasure_requests.ask(bob, staff, "BOB asked by mail", "three")


def test_of_an_erased_person_the_log_keeps_that_something_was_done(staff: User, bob: Guest) -> None:
    decide(staff, bob, Suspend(7), "Bob from Berlin insults people")
    erase(bob)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.reason, entry.data, entry.about) == ("suspension", "", {}, bob)
    assert not Measure.objects.exists() and not Case.objects.exists()


def test_what_staff_decided_stays_when_they_leave(staff: User, bob: Guest) -> None:
    decide(staff, bob, Suspend(7))
    staff.is_staff = False
    staff.save()
    erase(staff.guest)
    with pytest.raises(Refused):
        table_of(Sitter(bob), Sitter())
    assert AuditEntry.objects.get().by is None
