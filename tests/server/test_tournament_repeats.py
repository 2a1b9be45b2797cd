"""Repeated tournaments: each edition opens once, at the same time of day."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict
from django.test import Client

from kakomi.contest.tournament import Ladder, Swiss
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.commands import Suspend
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.people.erasure import erase
from kakomi.server.site import clock
from kakomi.server.tournaments import OPEN_NEXT, repeats, services
from kakomi.server.tournaments.models import LONGEST_NAME, Tournament
from kakomi.server.tournaments.repeats import next_beginning
from kakomi.server.tournaments.selectors import MOST_GOING
from kakomi.session import Refused
from kakomi.session.time_control import DAY
from server.moderated import decide
from server.people import make_user, signed_in
from server.staff import make_staff
from server.test_api import V1
from server.test_tournament_pages import form, text
from server.tournament_people import asked_for, entered, go_on, organised

pytestmark = pytest.mark.django_db
BERLIN, NEW_YORK, AUCKLAND = "Europe/Berlin", "America/New_York", "Pacific/Auckland"
START = datetime(2026, 7, 1, 17, tzinfo=UTC).timestamp()
"""A Wednesday, seven in the evening in Berlin."""
State = Tournament.State


def editions(first: str, repeat: str, zone: str, count: int = 3) -> list[str]:
    """The beginnings of the editions after the first, in UTC like `first`."""
    begun = at = datetime.fromisoformat(first).replace(tzinfo=UTC).timestamp()
    found = []
    for _ in range(count):
        at = next_beginning(begun, repeat, zone, at)
        found.append(f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M}")
    return found


@pytest.mark.parametrize(
    ("first", "repeat", "found"),
    [
        ("2026-07-01T17:00", "weekly", ["2026-07-08T17:00", "2026-07-15T17:00", "2026-07-22T17:00"]),
        ("2026-12-28T09:30", "weekly", ["2027-01-04T09:30", "2027-01-11T09:30", "2027-01-18T09:30"]),
        ("2026-11-15T12:00", "monthly", ["2026-12-15T12:00", "2027-01-15T12:00", "2027-02-15T12:00"]),
        ("2026-01-31T12:00", "monthly", ["2026-02-28T12:00", "2026-03-31T12:00", "2026-04-30T12:00"]),
        ("2028-01-30T12:00", "monthly", ["2028-02-29T12:00", "2028-03-30T12:00", "2028-04-30T12:00"]),
    ],
)
def test_editions_are_whole_weeks_or_months_apart(first: str, repeat: str, found: list[str]) -> None:
    assert editions(first, repeat, "UTC") == found


@pytest.mark.parametrize(
    ("first", "repeat", "zone", "found"),
    [
        # Berlin's clocks go forward on 29 March 2026 at two, and back on 25 October at three
        ("2026-03-23T18:00", "weekly", BERLIN, ["2026-03-30T17:00", "2026-04-06T17:00"]),
        ("2026-10-19T17:00", "weekly", BERLIN, ["2026-10-26T18:00", "2026-11-02T18:00"]),
        ("2026-03-22T01:30", "weekly", BERLIN, ["2026-03-29T01:30", "2026-04-05T00:30"]),
        ("2026-10-18T00:30", "weekly", BERLIN, ["2026-10-25T00:30", "2026-11-01T01:30"]),
        ("2026-10-25T01:30", "monthly", BERLIN, ["2026-11-25T01:30", "2026-12-25T01:30"]),
        ("2026-03-02T18:00", "monthly", BERLIN, ["2026-04-02T17:00", "2026-05-02T17:00"]),
        # New York's change on 8 March and 1 November, and its evenings are on the next day in UTC
        ("2026-03-03T01:00", "weekly", NEW_YORK, ["2026-03-10T00:00", "2026-03-17T00:00"]),
        ("2026-01-01T03:00", "monthly", NEW_YORK, ["2026-02-01T03:00", "2026-03-01T03:00"]),
        ("2026-03-04T06:30", "monthly", AUCKLAND, ["2026-04-04T06:30", "2026-05-04T07:30"]),
    ],
)
def test_the_time_of_day_stays_when_clocks_are_changed(
    first: str, repeat: str, zone: str, found: list[str]
) -> None:
    assert editions(first, repeat, zone, 2) == found


def repeated(repeat: str = "weekly", **agreed: object) -> Tournament:
    """A tournament of an organiser in Berlin, created three days before it begins."""
    organiser = make_user("ada").guest
    Guest.objects.filter(pk=organiser.pk).update(zone=BERLIN)
    organiser.refresh_from_db()
    with clock.time_from(lambda: START - 3 * DAY):
        wanted = asked_for(**{"config": Swiss(rounds=2), "begins_at": START, "repeat": repeat, **agreed})
        return services.create(organiser, wanted, "key")


def at(day: float) -> list[Tournament]:
    """Run the due jobs `day` days after the first beginning, and return all tournaments."""
    with clock.time_from(lambda: START + day * DAY):
        for row in Tournament.objects.filter(due_at__lte=clock.now()):
            go_on(row)
        run_job(OPEN_NEXT)
    return list(Tournament.objects.order_by("pk"))


def test_the_next_edition_opens_once_this_one_has_begun() -> None:
    row = repeated(most=8, is_rated=True, options={"size": 8}, takes_bots=True)
    assert row.next_at == START + 7 * DAY
    assert at(-0.1) == [row], "it hasn't begun"
    entered(row, 2)
    for _ in range(3):
        first, second = at(0)
    assert first.state == State.RUNNING and first.next_at is None
    assert (second.state, second.name, second.edition) == (State.OPEN, "Autumn Cup 2", 2)
    assert (second.begins_at, second.due_at) == (START + 7 * DAY, START + 7 * DAY)
    assert (second.previous, second.next_at) == (first, START + 14 * DAY)
    assert second.code != first.code and second.seed != first.seed and not second.entrants.exists()
    same = ("organiser", "game", "terms", "format", "is_rated", "most", "takes_bots", "round_days", "repeat")
    one, other = model_to_dict(first), model_to_dict(second)
    assert {name: one[name] for name in same} == {name: other[name] for name in same}


def test_every_field_is_either_agreed_or_of_one_edition() -> None:
    fields = {field.name for field in Tournament._meta.concrete_fields}
    of_one = {
        "id",
        "code",
        "key",
        "name",
        "seed",
        "state",
        "version",
        "is_closed",
        "news",
        "edition",
        "previous",
    }
    moments = {"created_at", "begins_at", "due_at", "next_at", "ended_at"}
    assert fields - set(repeats.TERMS) == of_one | moments


def test_an_edition_that_was_called_off_is_followed_by_the_next() -> None:
    repeated()
    first, second = at(0)
    assert first.state == State.CANCELLED and second.name == "Autumn Cup 2"
    *_, second, third = at(7)
    assert second.state == State.CANCELLED and third.name == "Autumn Cup 3"
    assert third.begins_at == START + 14 * DAY


def test_one_that_begins_early_does_not_move_the_next() -> None:
    row = repeated()
    with clock.time_from(lambda: START - DAY):
        services.begin_now(row, row.organiser)
    assert at(-1)[1].begins_at == START + 7 * DAY


def test_what_an_outage_has_missed_is_left_out_and_numbers_have_no_gaps() -> None:
    repeated("monthly")
    _, second = at(100)
    assert second.name == "Autumn Cup 2"
    assert second.begins_at == datetime(2026, 11, 1, 18, tzinfo=UTC).timestamp(), "winter in Berlin"
    assert [each.name for each in at(101)] == ["Autumn Cup", "Autumn Cup 2"]


def test_a_process_that_dies_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    repeated()

    def dies(row: Tournament) -> None:
        raise SystemExit("killed")

    with monkeypatch.context() as patch:
        patch.setattr(repeats, "publish_change", dies)
        with pytest.raises(SystemExit), transaction.atomic():
            at(0)
    assert Tournament.objects.get().next_at is not None
    assert len(at(0)) == 2


def test_who_comes_second_opens_nothing_and_the_database_has_one_edition_after_another() -> None:
    row = repeated()
    first, second = at(0)
    with clock.time_from(lambda: START):
        repeats.open_next(row.pk)  # like a process that has read the row earlier
    assert Tournament.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.create(
            organiser=second.organiser,
            key="other",
            previous=first,
            terms=first.terms,
            format=first.format,
            most=2,
            round_days=30,
            created_at=START,
            begins_at=START,
            first_at=START,
        )


def test_it_waits_while_the_organiser_has_as_many_as_there_may_be() -> None:
    row = repeated()
    with clock.time_from(lambda: START - DAY):
        for number in range(MOST_GOING - 1):
            services.create(row.organiser, asked_for(begins_at=START + 30 * DAY), f"other {number}")
    entered(row, 2)
    assert len(at(0)) == MOST_GOING
    Tournament.objects.filter(key="other 0").update(state=State.OVER, due_at=None)
    *_, made = at(10)
    assert made.begins_at == START + 14 * DAY and made.name == "Autumn Cup 2"


def test_it_waits_while_the_organiser_is_suspended() -> None:
    row, by = repeated(), make_staff("mod", "moderate")
    with clock.time_from(lambda: START - DAY):
        decide(by, row.organiser, Suspend(5))
    assert len(at(1)) == 1
    assert [each.begins_at for each in at(5)] == [START, START + 7 * DAY]


def test_it_ends_with_the_account_of_its_organiser() -> None:
    row = repeated()
    erase(row.organiser)
    (row,) = at(0)
    assert (row.repeat, row.next_at) == ("", None)


def test_the_organiser_and_staff_end_it_and_nobody_else() -> None:
    row, other = repeated(), make_user("bob").guest
    with pytest.raises(Refused, match="Only the organiser"):
        repeats.stop(row, other)
    first, second = at(0)
    repeats.stop(second, make_staff("mod").guest)
    repeats.stop(second, row.organiser)
    second.refresh_from_db()
    assert (second.repeat, second.next_at) == ("", None)
    assert at(7) == [first, second] and at(30) == [first, second]


def test_names_are_numbered_and_never_too_long() -> None:
    row = repeated(name="Cup 2026 " + "x" * (LONGEST_NAME - 9))
    _, second = at(0)
    assert second.name == "Cup 2026 " + "x" * (LONGEST_NAME - 11) + " 2"
    Tournament.objects.filter(pk=second.pk).update(name="Spring Cup")  # staff have renamed it
    assert [each.name for each in at(7)][2:] == ["Spring Cup 3"]
    assert [each.name for each in at(14)][3:] == ["Spring Cup 4"]
    assert row.code not in {each.code for each in at(14)[1:]}


def test_a_first_edition_may_have_its_number_too() -> None:
    repeated(name="Cup 1")
    assert [each.name for each in at(0)] == ["Cup 1", "Cup 2"]


def test_a_ladder_is_not_repeated() -> None:
    row = repeated(config=Ladder())
    assert (row.repeat, row.next_at) == ("", None) and len(at(1)) == 1


def test_the_form_and_the_page_of_one_that_is_repeated() -> None:
    client = signed_in(make_user("ada"))
    assert '<option value="monthly">every month</option>' in text(client.get("/tournaments/new/rin"))
    assert 'name="repeat"' not in text(client.get("/tournaments/new/rin?format=ladder"))
    path = client.post("/tournaments/new/rin", form(repeat="weekly"))["Location"]
    row = Tournament.objects.get()
    assert row.repeat == "weekly" and row.next_at == pytest.approx(row.begins_at + 7 * DAY, abs=0.001)
    html = text(client.get(path))
    assert "Repeats every week. Next one starts" in html and "Stop repeating" in html
    assert "Stop repeating" not in text(signed_in(make_user("bob")).get(path))
    with clock.time_from(lambda: row.begins_at + 1):
        go_on(row)
        run_job(OPEN_NEXT)
    made = Tournament.objects.get(previous=row)
    html = text(client.get(path))
    assert f'<a href="/tournaments/{made.code}">Go to Autumn Cup 2</a>' in html
    assert "Repeats every" not in html and "Stop repeating" not in html
    assert client.post(f"/tournaments/{made.code}/stop").status_code == 302
    html = text(client.get(f"/tournaments/{made.code}"))
    assert "Repeats every" not in html
    assert client.post("/tournaments/new/rin", form(repeat="daily", key="two")).status_code == 422


def test_programs_see_how_often_it_comes_again() -> None:
    row, other = repeated("monthly"), organised()
    seen = Client().get(f"{V1}/tournaments/{row.code}").json()["tournament"]
    assert (seen["repeat"], seen["next_at"]) == ("monthly", row.next_at)
    seen = Client().get(f"{V1}/tournaments/{other.code}").json()["tournament"]
    assert (seen["repeat"], seen["next_at"]) == ("", None)
