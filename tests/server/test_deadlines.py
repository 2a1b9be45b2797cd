"""What falls due at tables, with time moved forward: starting, flags, warnings, time off, and downtime."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.explorer.jobs import index_games
from kakomi.server.explorer.models import Unindexed
from kakomi.server.ratings.jobs import rate_results
from kakomi.server.ratings.models import Result
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables import deadlines, jobs, models, outages, selectors, services, vacations
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.extensions import time_running_out
from kakomi.server.tables.models import Outage, TimeOff, Vacation
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff
from kakomi.session import MatchConfig, Refused, TimeControl
from server.due_jobs import run_jobs
from server.rated_games import make_people, play_rated

pytestmark = pytest.mark.django_db

DAY = 86400.0
START = 1_767_571_200.0
"""Monday, 5 January 2026, midnight in UTC."""
DAYS = TimeControl(3 * DAY, kind="days")


class Hands:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hands():
    moved = Hands()
    with clock.time_from(moved):
        yield moved


@pytest.fixture
def people():
    return [Guest.objects.create(name=name) for name in ("Ada", "Ben")]


def table_as_of(row: models.Table, now: float):
    return deadlines.as_of(selectors.table_of(row), now)


def opened(people, control=DAYS, *, started: bool = True) -> models.Table:
    sitters = [Sitter(guest) for guest in people]
    row = services.begin(MatchConfig(catalog.game("rin", size=6)), sitters, control)
    if started:
        play(row, 0, "0,0")
        play(row, 1, "1,1", "2,2")
    return row


def play(row: models.Table, seat: int, *actions: str) -> services.TableChange:
    row.refresh_from_db()
    deed = [("play", action) for action in actions]
    outcome = services.add(row.code, deed, seat=seat, base=row.entries, key=f"play-{row.entries}")
    row.refresh_from_db()
    return outcome


def kinds(row: models.Table) -> list[str]:
    row.refresh_from_db()
    return [entry.kind for entry in selectors.table_of(row).history]


def test_a_flag_falls_once_without_anybody_looking(hands, people):
    row = opened(people)
    hands.at = START + 3 * DAY - 1
    jobs.settle_due()
    assert not models.Table.objects.get().is_over
    TimeOff.objects.bulk_create([TimeOff(guest=guest, is_automatic=False) for guest in people])
    hands.at = START + 3 * DAY
    for _ in range(3):
        jobs.settle_due()
    assert kinds(row).count("flag") == 1
    assert row.is_over and row.ended_at == hands.at and row.due_at is None


def test_while_many_flags_fall_what_can_wait_comes_later(hands, people, monkeypatch):
    monkeypatch.setattr(jobs, "BUSY_FROM", 2)
    ended, *due = [play_rated(*make_people(2)).table, opened(people), opened(people)]
    hands.at = START + 3 * DAY
    rate_results()
    index_games()
    assert Result.objects.get(table=ended).is_due and Unindexed.objects.count() == 1
    jobs.settle_due()
    assert all(kinds(row)[-1] in ("flag", "rest") for row in due)
    rate_results()
    index_games()
    assert not Result.objects.filter(is_due=True).exists() and not Unindexed.objects.exists()


def test_a_move_at_the_deadline_is_too_late_even_before_the_job_comes(hands, people):
    row = opened(people, TimeControl(60, 5))
    hands.at = START + 60
    with pytest.raises(Stale):
        play(row, 0, "3,3")
    assert kinds(row)[-1] == "flag" and row.is_over


def test_a_table_that_nobody_starts_ends_without_a_result(hands, people):
    row = opened(people, TimeControl(60, 5), started=False)
    hands.at = START + 299
    jobs.settle_due()
    play(row, 0, "0,0")
    hands.at += 300
    jobs.settle_due()
    assert kinds(row)[-1] == "abort" and row.is_over and row.to_act is None
    assert not row.seats.exclude(share=None).exists()


def test_the_time_to_start_begins_when_everybody_sits(hands, people):
    row = services.begin(MatchConfig(catalog.game("rin", size=6)), [Sitter(people[0]), Sitter()], DAYS)
    assert row.due_at == START + 30 * DAY
    hands.at = START + 10 * DAY
    jobs.settle_due()
    assert services.sit_down(row.seats.get(number=1), people[1])
    row.refresh_from_db()
    assert row.due_at == START + 17 * DAY


def test_a_table_at_which_nobody_sits_down_ends(hands, people):
    row = services.begin(MatchConfig(catalog.game("rin", size=6)), [Sitter(people[0]), Sitter()])
    hands.at = START + 30 * DAY
    jobs.settle_due()
    assert kinds(row) == ["abort"]
    assert not services.sit_down(row.seats.get(number=1), people[1]), "it is over"


def test_who_plays_alone_never_has_a_deadline(hands, people):
    for others in (Sitter(people[0]), Sitter(bot="1")):
        row = services.begin(MatchConfig(catalog.game("rin", size=6)), [Sitter(people[0]), others])
        assert row.due_at is row.warn_at is None


def test_weekends_hold_from_the_start_and_changes_from_the_moment_they_are_made(hands, people):
    ada = people[0]
    vacations.choose_time_off(ada, RegularTimeOff("Europe/Berlin", (5, 6)))
    hands.at = START + 4 * DAY  # Friday
    row = opened(people)
    assert row.due_at == START + 9 * DAY, "from Friday to Wednesday"
    vacations.choose_time_off(ada, RegularTimeOff("UTC"))
    jobs.enter_time_off()
    row.refresh_from_db()
    assert row.due_at == START + 7 * DAY
    assert TimeOff.objects.get(guest=ada).entered_version == TimeOff.objects.get(guest=ada).version


def test_a_vacation_stops_all_clocks_of_its_guest_until_it_ends(hands, people):
    row = opened(people)
    hands.at = START + DAY
    vacation = vacations.take_vacation(people[0], hands.at, hands.at + 10 * DAY)
    jobs.enter_time_off()
    row.refresh_from_db()
    assert row.due_at == START + 13 * DAY
    hands.at = START + 5 * DAY
    assert vacations.end_vacation(people[0], vacation.pk)
    jobs.enter_time_off()
    row.refresh_from_db()
    assert row.due_at == START + 7 * DAY
    play(row, 0, "3,3", "3,2")
    assert row.to_act == 1


def test_an_entry_of_rests_makes_nobodys_page_stale(hands, people):
    row = opened(people)
    base = row.entries
    vacations.choose_time_off(people[1], RegularTimeOff("UTC", (6,)))
    jobs.enter_time_off()
    services.add(row.code, [("play", "3,3")], seat=0, base=base, key="as-before")
    assert kinds(row)[-2:] == ["rest", "play"]


def test_a_day_of_vacation_is_taken_by_itself_once_in_a_turn(hands, people):
    row = opened(people)
    hands.at = START + 3 * DAY + 30
    jobs.settle_due()
    assert kinds(row)[-1] == "rest" and row.due_at == START + 4 * DAY
    assert Vacation.objects.get().start == START + 3 * DAY
    hands.at = START + 3 * DAY + 600
    play(row, 0, "3,3", "3,2")
    assert row.to_act == 1 and row.due_at == hands.at + 3 * DAY
    hands.at = START + 60 * DAY
    jobs.settle_due()
    assert kinds(row)[-1] == "flag" and row.ended_at == hands.at
    assert people[1].vacations.count() == 1, "a turn of three days has four at most"


def test_no_more_vacation_is_booked_than_is_allowed(hands, people):
    vacations.take_vacation(people[0], START + DAY, START + 21 * DAY)
    for start, days, reason in (
        (40, 11, "10.0 vacation days"),
        (5, 3, "already"),
        (400, 1, "within a year"),
        (9, 0, "must end"),
    ):
        with pytest.raises(Refused, match=reason):
            vacations.take_vacation(people[0], START + start * DAY, START + (start + days) * DAY)
    vacations.take_vacation(people[0], START + 40 * DAY, START + 50 * DAY)
    hands.at = START + 300 * DAY
    assert vacations.take_vacation(people[0], START + 390 * DAY, START + 410 * DAY)


@pytest.mark.parametrize(
    "wrong", [{"zone": "Mars/Base"}, {"weekend": (4, 5, 6)}, {"weekend": (9,)}, {"sleep": (0, 800)}]
)
def test_rests_that_cannot_be_are_refused(wrong):
    with pytest.raises(Refused):
        RegularTimeOff(**wrong)


@pytest.fixture
def reminded(hands):
    """Runs the jobs each hour of a span, and answers with who was reminded after how many of them."""
    told = []

    def listen(seat, is_last, **_):
        told.append((seat, is_last))

    def wait(hours):
        told.clear()
        found, begin = [], hands.at
        for hour in range(1, hours + 1):
            hands.at = begin + 3600 * hour
            run_jobs()
            found += [(hour, *told.pop(0)) for _ in tuple(told)]
        return found

    time_running_out.connect(listen)
    yield wait
    time_running_out.disconnect(listen)


@pytest.mark.parametrize(
    ("days", "hours"),
    [(21, (7 * 24, 20 * 24)), (30, (7 * 24, 29 * 24)), (3, (24, 48)), (2, (24,)), (1, (12,)), (1 / 8, ())],
)
def test_one_is_reminded_early_and_before_the_end_of_a_turn(hands, people, reminded, days, hours):
    row = opened(people, TimeControl(days * DAY, kind="days"))
    span = int(24 * days)
    assert reminded(span - 1) == [(hour, 0, hour == hours[-1]) for hour in hours]
    play(row, 0, "3,3", "3,2")
    assert [hour for hour, seat, _ in reminded(span - 1) if seat == 1] == list(hours)


def test_an_offer_or_a_pause_brings_no_reminder_again(hands, people, reminded):
    row = opened(people)
    assert reminded(30) == [(24, 0, False)]
    services.add(row.code, [("offer", "pause")], seat=1, base=row.entries, key="an-offer")
    assert reminded(30) == [(18, 0, True)]


def test_nobody_is_reminded_while_they_rest_nor_right_after_everybody_sits(hands, people, reminded):
    opened(people)
    vacations.take_vacation(people[0], START + 3600, START + 11 * DAY)
    assert reminded(30 * 24)[:2] == [(11 * 24, 0, False), (12 * 24 + 23, 0, True)]
    models.Table.objects.all().delete()
    row = services.begin(MatchConfig(catalog.game("rin", size=6)), [Sitter(people[0]), Sitter()], DAYS)
    hands.at += 20 * DAY
    services.sit_down(row.seats.get(number=1), people[1])
    assert [hour for hour, *_ in reminded(6 * 24)] == [56, 144]


def test_without_a_clock_one_is_reminded_after_a_week_and_nothing_more_happens(hands, people):
    row = opened(people, None)
    assert row.due_at is None and row.warn_at == START + 7 * DAY
    hands.at = START + 900 * DAY
    run_jobs()
    row.refresh_from_db()
    assert not row.is_over and row.warn_at is None


def test_an_outage_is_found_once_and_no_clock_ran(hands, people):
    outages.beat()
    row = opened(people, TimeControl(60, 5))
    hands.at = START + 30
    Outage.objects.all().delete()
    outages.beat(gap=60)
    hands.at = START + 1000
    assert outages.beat() == (START + 30, START + 1000)
    assert outages.beat() is None
    jobs.settle_due()
    assert kinds(row)[-1] == "downtime" and not row.is_over
    assert row.due_at == START + 1030
    play(row, 0, "3,3", "3,2")
    assert selectors.table_of(row).remaining(hands.at) == (35.0, 60.0)


def test_no_clock_ran_in_any_of_several_outages_within_a_turn(hands, people):
    row = opened(people, TimeControl(60, 5))
    Outage.objects.create(start=START + 10, end=START + 110)
    Outage.objects.create(start=START + 120, end=START + 320)
    hands.at = START + 340
    assert table_as_of(row, hands.at).next_due() == START + 360
    for _ in range(2):
        jobs.settle_due()
        assert kinds(row)[-2:] == ["downtime", "downtime"] and not row.is_over
        assert row.due_at == START + 360
    hands.at = START + 360
    jobs.settle_due()
    assert kinds(row)[-1] == "flag"


@pytest.mark.django_db(transaction=True)
def test_an_outage_that_was_found_in_vain_is_found_again(hands):
    known = outages.OutageList()
    known.refresh()
    hands.at = START + 100
    with writing():  # by whoever does first what can't be done
        assert known.since(START, hands.at) == [(START, START + 100)]
        transaction.set_rollback(True)
    hands.at = START + 103
    with writing():
        assert known.since(START, hands.at) == [(START, START + 103)]
    assert (
        known.since(START, hands.at)
        == [(START, START + 103)]
        == list(Outage.objects.values_list("start", "end"))
    )


def test_a_clock_that_was_set_back_is_no_outage(hands):
    outages.beat()
    hands.at -= 5000
    assert outages.beat() is None
    hands.at += 5001
    assert outages.beat() is None


def test_a_table_that_cannot_be_settled_keeps_nobody_waiting(hands, people, monkeypatch):
    rows = [opened(people, TimeControl(60, 5)) for _ in range(2)]
    hands.at += 60
    settle = services.settle

    def fail_once(code):
        if code == rows[0].code:
            raise ValueError("broken")
        return settle(code)

    monkeypatch.setattr(services, "settle", fail_once)
    monkeypatch.setattr(jobs, "_failed", {})
    jobs.settle_due()
    assert kinds(rows[1])[-1] == "flag" and kinds(rows[0])[-1] == "play"


def test_a_flag_costs_few_statements_as_many_may_fall_at_once(hands, people):
    rows = [opened(people) for _ in range(2)]
    TimeOff.objects.bulk_create([TimeOff(guest=guest, is_automatic=False) for guest in people])
    hands.at += 3 * DAY
    services.settle(rows[0].code)  # makes statements ready that are the same for all
    with CaptureQueriesContext(connection) as statements:
        services.settle(rows[1].code)
    assert kinds(rows[1])[-1] == "flag"
    assert len(statements) <= 22, "\n".join(statement["sql"][:160] for statement in statements)


def test_nobody_waits_for_the_lock_of_a_table_while_its_log_is_played_through(hands, people, monkeypatch):
    row = opened(people, TimeControl(60, 5))
    hands.at += 60
    monkeypatch.setattr(selectors, "CACHE", selectors.TableCache())
    played, replayed = [], selectors.replayed_table

    def note(known):
        played.append(bool(connection.savepoint_ids))
        return replayed(known)

    monkeypatch.setattr(selectors, "replayed_table", note)
    services.settle(row.code)
    assert played == [False] and kinds(row)[-1] == "flag"
