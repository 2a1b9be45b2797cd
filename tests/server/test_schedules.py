"""Tournaments that come again: each once, whoever announces it, and none piled up after an outage."""

import logging
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client

from kakomi.contest.tournament import Swiss
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.moderation.models import AuditEntry
from kakomi.server.notices.models import Notice
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.schedules import ANNOUNCE, services
from kakomi.server.schedules.models import Occurrence, Schedule
from kakomi.server.schedules.rules import Rule
from kakomi.server.schedules.services import Plan
from kakomi.server.tournaments import services as tournaments
from kakomi.server.tournaments.models import Tournament
from kakomi.session import Refused
from kakomi.session.time_control import DAY
from server.people import make_user, signed_in
from server.staff import at_work, make_staff
from server.tournament_people import entered, go_on, going_games, organised, play_round

pytestmark = pytest.mark.django_db
WEDNESDAY = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp()
FORM = {
    "name": "Rin Monday",
    "rhythm": "monthly 1",
    "weekday": "0",
    "time": "18:30",
    "zone": "UTC",
    "announce_days": "7",
}


def days(rule: Rule, count: int, after: float = WEDNESDAY) -> list[str]:
    return [f"{datetime.fromtimestamp(at, UTC):%a %Y-%m-%d %H:%M}" for at in islice(rule.after(after), count)]


def staff(name: str = "mod") -> User:
    user = make_staff(name)
    user.user_permissions.add(Permission.objects.get(codename="schedule"))
    return User.objects.get(pk=user.pk)


def scheduled(by: User | None = None, announce_days: int = 7, **rule: object) -> Schedule:
    """A schedule of every Monday at 18:30, made on a Wednesday."""
    pattern = organised(config=Swiss(rounds=2), most=8, is_rated=True, options={"size": 8})
    Tournament.objects.filter(pk=pattern.pk).update(state="cancelled", due_at=None)
    asked = {"frequency": "weekly", "weekday": 0, "minute": 18 * 60 + 30, "since": WEDNESDAY, **rule}
    with clock.time_from(lambda: WEDNESDAY):
        services.set_up(pattern, Plan("Rin Monday", Rule(**asked), announce_days), by or staff(), "key")
    return Schedule.objects.get()


def at(day: float) -> None:
    """Let the site announce what is due so many days after that Wednesday."""
    with clock.time_from(lambda: WEDNESDAY + day * DAY):
        run_job(ANNOUNCE)


def announced() -> list[Tournament]:
    return list(Tournament.objects.filter(organiser=None).order_by("begins_at"))


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        (Rule("weekly", 0, 1110, WEDNESDAY), ["Mon 2026-07-06 18:30", "Mon 2026-07-13 18:30"]),
        (Rule("weekly", 2, 600, WEDNESDAY), ["Wed 2026-07-08 10:00", "Wed 2026-07-15 10:00"]),
        (Rule("weekly", 2, 780, WEDNESDAY), ["Wed 2026-07-01 13:00", "Wed 2026-07-08 13:00"]),
        (Rule("weekly", 4, 0, WEDNESDAY, interval=2), ["Fri 2026-07-03 00:00", "Fri 2026-07-17 00:00"]),
        (Rule("monthly", 0, 1110, WEDNESDAY), ["Mon 2026-07-06 18:30", "Mon 2026-08-03 18:30"]),
        (Rule("monthly", 6, 0, WEDNESDAY, week=-1), ["Sun 2026-07-26 00:00", "Sun 2026-08-30 00:00"]),
        (Rule("monthly", 2, 0, WEDNESDAY, week=1), ["Wed 2026-08-05 00:00", "Wed 2026-09-02 00:00"]),
    ],
)
def test_rules_say_when(rule: Rule, found: list[str]) -> None:
    assert days(rule, 2) == found


@pytest.mark.parametrize(
    ("rule", "since", "found"),
    [
        # Berlin puts its clocks forward on 29 March 2026, and back on 25 October
        (Rule("weekly", 0, 1140, 0, zone="Europe/Berlin"), "2026-03-20", ["03-23 18:00", "03-30 17:00"]),
        (Rule("weekly", 0, 1140, 0, zone="Europe/Berlin"), "2026-10-18", ["10-19 17:00", "10-26 18:00"]),
        (Rule("weekly", 6, 150, 0, zone="Europe/Berlin"), "2026-03-20", ["03-22 01:30", "03-29 01:30"]),
        (Rule("weekly", 6, 150, 0, zone="Europe/Berlin"), "2026-10-12", ["10-18 00:30", "10-25 00:30"]),
        (Rule("weekly", 6, 150, 0, zone="Europe/Berlin"), "2026-10-25T00:45", ["11-01 01:30", "11-08 01:30"]),
        (Rule("monthly", 0, 1140, 0, zone="Europe/Berlin"), "2026-03-01", ["03-02 18:00", "04-06 17:00"]),
        (Rule("monthly", 0, 1140, 0, zone="Europe/Berlin"), "2026-10-01", ["10-05 17:00", "11-02 18:00"]),
        (Rule("weekly", 0, 1140, 0, 2, zone="Europe/Berlin"), "2026-03-20", ["03-30 17:00", "04-13 17:00"]),
        # New York does so on 8 March and 1 November, and is behind UTC: its Monday evening is our Tuesday
        (Rule("weekly", 0, 1200, 0, zone="America/New_York"), "2026-03-01", ["03-03 01:00", "03-10 00:00"]),
        (Rule("weekly", 0, 1200, 0, zone="America/New_York"), "2026-10-25", ["10-27 00:00", "11-03 01:00"]),
        (Rule("monthly", 0, 30, 0, zone="Pacific/Auckland"), "2026-03-20", ["04-05 12:30", "05-03 12:30"]),
    ],
)
def test_a_rule_keeps_the_time_of_its_place_when_clocks_are_changed(
    rule: Rule, since: str, found: list[str]
) -> None:
    begun = datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp()
    rule = replace(rule, since=begun)
    assert [day.partition("2026-")[2] for day in days(rule, 2, begun)] == found
    first, second = islice(rule.after(begun), 2)
    assert rule.next(begun) == first and rule.next(first) == second, "none is left out, and none comes twice"


def test_a_schedule_announces_by_the_clocks_of_its_place() -> None:
    scheduled(zone="Europe/Berlin", frequency="weekly", minute=19 * 60, weekday=0)
    for day in range(103, 140):
        at(day)
    begun = [datetime.fromtimestamp(each.begins_at or 0, UTC) for each in announced()]
    assert {f"{moment:%m-%d %H:%M}" for moment in begun} >= {"10-19 17:00", "10-26 18:00"}
    berlin = ZoneInfo("Europe/Berlin")
    assert {f"{moment.astimezone(berlin):%a %H:%M}" for moment in begun} == {"Mon 19:00"}


def test_a_tournament_is_announced_once_some_days_before_it_begins() -> None:
    row = scheduled()
    at(-3)  # nothing is due before the schedule was made
    assert announced() == []
    for _ in range(3):
        at(0)
    (made,) = announced()
    assert made.name == "Rin Monday 1" and made.begins_at == row.next_at == made.due_at
    assert (made.game, made.most, made.is_rated, made.state) == ("rin", 8, True, "open")
    assert (made.terms, made.format) == (row.pattern.terms, row.pattern.format)
    assert made.seed != row.pattern.seed and made.code != row.pattern.code
    for day in (5, 5.5, 6):
        at(day)
    assert [each.name for each in announced()] == ["Rin Monday 1", "Rin Monday 2"]
    assert [each.number for each in Occurrence.objects.all()] == [1, 2]


def test_what_an_outage_has_missed_is_left_out_with_a_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scheduled()
    at(0)
    with caplog.at_level(logging.WARNING):
        at(40)
    assert [each.name for each in announced()] == ["Rin Monday 1", "Rin Monday 2"]
    assert announced()[1].begins_at > WEDNESDAY + 40 * DAY
    assert len([line for line in caplog.messages if "was missed" in line]) == 4


def test_a_process_that_dies_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduled()
    with monkeypatch.context() as patch:
        patch.setattr(Occurrence.objects, "create", dies)
        with pytest.raises(SystemExit), transaction.atomic():
            at(0)
    assert announced() == [] and Schedule.objects.get().count == 0
    at(0)
    assert len(announced()) == 1


def dies(**_: object) -> None:
    raise SystemExit("killed")


def test_the_database_has_one_tournament_a_moment() -> None:
    row = scheduled()
    at(0)
    known = Occurrence.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Occurrence.objects.create(schedule=row, at=known.at, number=9, tournament=row.pattern)


def test_a_schedule_is_switched_off_and_on_again_without_what_was_between() -> None:
    by = staff()
    row = scheduled(by)
    at(0)
    services.switch(row, by, "off", is_on=False)
    at(20)
    assert len(announced()) == 1
    with clock.time_from(lambda: WEDNESDAY + 40 * DAY):
        services.switch(row, by, "on", is_on=True)
    at(40)
    assert [each.name for each in announced()] == ["Rin Monday 1", "Rin Monday 2"]
    assert announced()[1].begins_at > WEDNESDAY + 40 * DAY
    acts = AuditEntry.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts) == ["schedule", "schedule off", "schedule on"]


def test_the_sites_own_tournament_is_played_directed_and_called_off() -> None:
    scheduled()
    at(0)
    (row,) = announced()
    people = entered(row, 2)
    Tournament.objects.filter(pk=row.pk).update(due_at=1.0)
    go_on(row)
    assert len(going_games(row)) == 1
    play_round(row)
    director = make_staff("other")
    html = Client().get(f"/tournaments/{row.code}").content.decode()
    assert "directed by the site" in " ".join(html.split())
    with pytest.raises(Refused):
        tournaments.cancel(row, people[0], "no time")
    tournaments.cancel(row, director.guest, "a server moves")
    assert Notice.objects.filter(kind="tournament_cancelled").count() == len(people)


def test_too_few_who_come_hear_that_it_is_called_off() -> None:
    scheduled()
    at(0)
    (row,) = announced()
    (alone,) = entered(row, 1)
    Tournament.objects.filter(pk=row.pk).update(due_at=1.0)
    assert go_on(row).state == "cancelled"
    (notice,) = Notice.objects.filter(kind="tournament_cancelled")
    assert notice.guest == alone


def test_staff_set_it_up_from_a_tournament_once_and_see_the_next_dates() -> None:
    pattern = organised(config=Swiss(rounds=5))
    client = at_work(staff())
    path = f"/tournaments/{pattern.code}/schedule"
    assert path in client.get(f"/tournaments/{pattern.code}").content.decode()
    assert "Repeat a tournament" in client.get(path).content.decode()
    Guest.objects.update(zone="Europe/Berlin")
    assert '<option value="Europe/Berlin" selected>' in client.get(path).content.decode()
    for _ in range(2):
        assert client.post(path, {**FORM, "key": "one"}).status_code == 302
    row = Schedule.objects.get()
    assert (row.frequency, row.week, row.weekday, row.minute) == ("monthly", 1, 0, 1110)
    html = client.get("/tournaments/schedules").content.decode()
    assert "Rin Monday" in html and html.count("T18:30") == 3
    Schedule.objects.update(zone="Europe/Berlin")
    html = client.get("/tournaments/schedules").content.decode()
    assert html.count("T18:30:00+0") == 3 and "(Europe/Berlin)" in html
    assert (
        client.post(f"/tournaments/schedules/{row.pk}/switch", {"wish": "off", "key": "two"}).status_code
        == 302
    )
    assert not Schedule.objects.get().is_on
    assert client.post(f"/tournaments/schedules/{row.pk}/switch", {"wish": "on"}).status_code == 422
    assert client.post("/tournaments/schedules/999/switch", {"wish": "on", "key": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "x"}, "3 to 54"),
        ({"rhythm": "daily"}, "Select a valid choice"),
        ({"time": "25:00"}, "Enter a valid time"),
        ({"zone": "Mars/Olympus"}, "Select a valid choice"),
        ({"announce_days": "99"}, "Select a valid choice"),
        ({"key": ""}, "not complete"),
    ],
)
def test_what_can_not_be_is_said_and_changes_nothing(changes: dict[str, str], said: str) -> None:
    pattern = organised()
    answer = at_work(staff()).post(f"/tournaments/{pattern.code}/schedule", {**FORM, "key": "one", **changes})
    assert answer.status_code == 422 and said in answer.content.decode()
    assert not Schedule.objects.exists()


def test_others_find_nothing_there() -> None:
    pattern = organised()
    for client in (Client(), signed_in(make_user("ada")), at_work(make_staff("other"))):
        assert client.get("/tournaments/schedules").status_code == 404
        assert client.post(f"/tournaments/{pattern.code}/schedule", FORM).status_code == 404
    assert not Schedule.objects.exists()
