"""Calendars: valid for a parser, cacheable, and secret if personal."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.test import Client

from kakomi import catalog
from kakomi.contest.tournament import Swiss
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.signals import guests_joined
from kakomi.server.notices.models import Mailing
from kakomi.server.operations.logs import masked
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables import vacations
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff
from kakomi.server.tournaments import services
from kakomi.server.tournaments.models import CalendarAddress, Round, Tournament
from kakomi.session import MatchConfig, TimeControl
from kakomi.session.time_control import DAY
from server.people import make_user, signed_in
from server.tournament_people import asked_for, entered, go_on, going_games, organised, play_round

pytestmark = pytest.mark.django_db


def read(address: str, client: Client | None = None, **headers: str) -> Mapping[str, Any]:
    """The events of a feed by UID, as another library parses them."""
    answer = (client or Client()).get(address, headers=headers)
    assert answer.status_code == 200 and answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.content.split(b"\r\n")
    assert lines[-1] == b"" and not any(b"\n" in line for line in lines)
    assert all(len(line) <= 75 for line in lines), "lines are folded after 75 octets (RFC 5545, 3.1)"
    found = icalendar.Calendar.from_ical(answer.content)
    assert found.to_ical() == answer.content
    assert found["version"] == "2.0" and found["prodid"] and not found.errors
    events: Sequence[Any] = found.walk("VEVENT")
    for event in events:  # RFC 5545, 3.6.1
        assert event["uid"] and event["dtstamp"].dt.utcoffset() == timedelta() and not event.errors
    assert len({str(event["uid"]) for event in events}) == len(events)
    return {str(event["uid"]): event for event in events}


def coming(name: str = "Autumn Cup", **agreed: object) -> Tournament:
    organiser = make_user(f"organiser{Tournament.objects.count()}").guest
    return services.create(organiser, asked_for(name=name, begins_at=clock.now() + 3 * DAY, **agreed), "key")


def feed(row: Tournament) -> str:
    return f"/tournaments/{row.code}/calendar.ics"


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def own_address(client: Client) -> str:
    client.post("/me/calendar")
    return f"/me/calendar/{CalendarAddress.objects.get().token}.ics"


def test_a_name_of_any_letters_comes_back_as_it_is() -> None:
    name = "囲み, cup; of \\n: Ünïcode letters 🏆, long enough to be folded"
    row = coming(name)
    ((uid, event),) = read(feed(row)).items()
    assert event["summary"] == f"{name} starts"
    assert event["dtstart"].dt == moment(row.begins_at)
    assert event["url"] == f"http://testserver/tournaments/{row.code}"
    assert uid == f"tournament-{row.code}@kakomi"


def test_a_round_that_goes_on_has_its_end_and_the_next_one_another_event() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 4)
    go_on(row)
    first = f"tournament-{row.code}-round-1@kakomi"
    found = read(feed(row))
    assert found[first]["dtstart"].dt == moment(Round.objects.get().ends_at)
    assert found[first]["summary"] == "Autumn Cup: round 1 ends by"
    play_round(row)
    again = read(feed(row))
    assert first not in again and f"tournament-{row.code}-round-2@kakomi" in again


def test_one_that_is_called_off_is_marked_so() -> None:
    row = coming()
    services.cancel(row, row.organiser, "nobody has time")
    (event,) = read(feed(row)).values()
    assert event["status"] == "CANCELLED"


def test_one_that_begins_early_has_changed() -> None:
    row = coming()
    ((_, before),) = read(feed(row)).items()
    later = clock.now() + 60
    with clock.time_from(lambda: later):
        services.begin_now(row, row.organiser)
        ((_, event),) = read(feed(row)).items()
    assert event["dtstart"].dt == event["dtstamp"].dt == moment(later) > before["dtstamp"].dt


def test_a_calendar_is_sent_once_as_long_as_it_is_the_same() -> None:
    row = coming()
    first = Client().get(feed(row))
    asked = {"If-None-Match": first["ETag"]}
    again = Client().get(feed(row), headers=asked)
    assert again.status_code == 304 and not again.content
    assert Client().head(feed(row))["ETag"] == first["ETag"]
    row.name = "Winter Cup"
    row.save()
    assert Client().get(feed(row), headers=asked).status_code == 200


def test_a_tournament_has_its_own_events_alone() -> None:
    row, _other = coming(), coming("Winter Cup")
    assert len(read(feed(row))) == 1
    assert Client().get("/tournaments/nowhere/calendar.ics").status_code == 404


def test_a_personal_calendar_says_when_a_clock_would_run_out() -> None:
    row = organised(config=Swiss(rounds=1))
    people = entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    table = Table.objects.get(pk=game.table_id)
    to_act = table.seats.get(number=table.to_act).guest
    (other,) = [guest for guest in people if guest != to_act]
    client = signed_in(to_act.user)
    address = own_address(client)
    found = read(address)
    deadline = found[f"deadline-{table.code}@kakomi"]
    assert deadline["dtstart"].dt == moment(table.due_at)
    assert "Rin" in deadline["summary"] and str(other) in deadline["summary"]
    assert f"tournament-{row.code}-round-1@kakomi" in found
    assert not any("deadline" in uid for uid in read(own_address_of(other)))
    assert not any("deadline" in uid for uid in read(feed(row)))


def own_address_of(guest: Guest) -> str:
    made = CalendarAddress.objects.create(guest=guest)
    return f"/me/calendar/{made.token}.ics"


def test_days_of_rest_move_the_deadline() -> None:
    ada, bob = make_user("ada").guest, make_user("bob").guest
    config = MatchConfig(catalog.game("rin", size=4))
    row = tables.begin(config, [Sitter(ada), Sitter(bob)], TimeControl(3 * DAY, kind="days"))
    for number in range(6):  # the clocks start with the second turn
        known = table_of(row)
        action = known.match.position.legal()[0]
        row = tables.add(
            row.code, [("play", action)], seat=known.to_act, base=row.entries, key=f"k{number}"
        ).row
    guest = row.seats.get(number=row.to_act).guest
    address, uid = own_address_of(guest), f"deadline-{row.code}@kakomi"
    before = read(address)[uid]["dtstart"].dt
    assert before == moment(row.due_at)
    vacations.choose_time_off(guest, RegularTimeOff(zone="UTC", weekend=(5, 6)))
    run_job("kakomi.server.tables.jobs.enter_time_off")
    row.refresh_from_db()
    found = read(address)
    assert list(found) == [uid] and found[uid]["dtstart"].dt == moment(row.due_at) >= before


def test_a_secret_address_is_made_and_renewed_on_a_page_of_ones_own() -> None:
    assert "/me/calendar/" not in Client().get("/me/calendar").content.decode()
    assert not Guest.objects.exists(), "looking makes nobody a guest"
    client = signed_in(make_user("ada"))
    first = own_address(client)
    page = client.get("/me/calendar")
    assert f"http://testserver{first}" in page.content.decode()
    assert page["Cache-Control"] == "no-store, private"
    assert read(first) == {}
    second = own_address(client)
    assert second != first
    assert Client().get(first).status_code == 404 and Client().get(second).status_code == 200


def test_secret_addresses_are_in_no_log_no_index_and_no_archive() -> None:
    user = make_user("ada")
    address = own_address(signed_in(user))
    answer = Client().get(address)
    assert answer["Cache-Control"] == "private, no-cache" and "noindex" in answer["X-Robots-Tag"]
    for path in (address, "/notices/off/a-token"):
        assert masked(path) in ("/me/...", "/notices/...")
    token = CalendarAddress.objects.get().token.encode()
    found = zipfile.ZipFile(io.BytesIO(b"".join(archive(user.guest))))
    assert "more/tournaments.calendaraddress.json" in found.namelist()
    assert not any(token in found.read(name) for name in found.namelist())
    erase(user.guest)
    assert Client().get(address).status_code == 404


def test_a_personal_calendar_speaks_as_mail_does() -> None:
    user = make_user("ada")
    row = coming()
    services.enter(row, user.guest)
    address = own_address(signed_in(user))
    Mailing.objects.filter(guest=user.guest).update(language="de")
    (event,) = read(address).values()
    assert event["summary"] == "Autumn Cup beginnt"
    assert Client().get(address)["ETag"] == Client().get(address, headers={"Accept-Language": "en"})["ETag"]


def test_the_address_of_a_guest_goes_to_their_account() -> None:
    left, kept = Guest.objects.create(name="A guest"), make_user("ada").guest
    token = CalendarAddress.objects.create(guest=left).token
    guests_joined.send(Guest, left=left, guest=kept)
    assert CalendarAddress.objects.get(guest=kept).token == token
    other = Guest.objects.create(name="Another")
    CalendarAddress.objects.create(guest=other)
    guests_joined.send(Guest, left=other, guest=kept)
    assert CalendarAddress.objects.get().token == token, "the other one stops working"
