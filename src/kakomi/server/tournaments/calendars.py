"""The upcoming events of a person or tournament, and their iCalendar text (RFC 5545, RFC 7986)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from kakomi import __version__
from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.site.database import writing
from kakomi.server.tables.selectors import waiting_tables
from kakomi.server.tables.summaries import GameSummary
from kakomi.server.tournaments.models import CalendarAddress, Round, Tournament
from kakomi.session.time_control import DAY

if TYPE_CHECKING:
    import icalendar


KEPT_SECONDS = 30 * DAY
"""How long a tournament's beginning stays in a feed; calendar programs delete events that disappear."""
MOST = 300
"""The maximum number of tournaments, of rounds and of games in a calendar."""
State = Tournament.State


@dataclass(frozen=True)
class Event:
    """A calendar event."""

    uid: str
    """An identifier that stays the same when the event is moved."""
    at: float
    """In seconds since the epoch, like all other times."""
    title: str
    path: str
    """The path of the page that it links to."""
    changed_at: float
    """When it last changed."""
    is_cancelled: bool = False


def events_of(tournaments: "QuerySet[Tournament]", now: float) -> list[Event]:
    """The beginnings of tournaments and the latest ends of their current rounds, the earliest first."""
    lately = tournaments.filter(begins_at__gt=now - KEPT_SECONDS).order_by("-begins_at", "pk")[:MOST]
    rounds = Round.objects.filter(tournament__in=tournaments, is_over=False, tournament__state=State.RUNNING)
    found = [_beginning(row, now) for row in lately]
    found += map(_ending, rounds.select_related("tournament")[:MOST])
    return sorted(found, key=lambda event: (event.at, event.uid))


def events_of_guest(guest: Guest, now: float) -> list[Event]:
    """The events of the tournaments that a guest is in or organises, and the deadlines of their turns."""
    entered = Q(entrants__guest=guest, entrants__is_in=True) | Q(organiser=guest)
    own = Tournament.objects.filter(pk__in=Tournament.objects.filter(entered).values("pk"))
    return sorted([*events_of(own, now), *_deadlines(guest)], key=lambda event: (event.at, event.uid))


def _deadlines(guest: Guest) -> Iterator[Event]:
    """The deadlines of the guest's games over days in which it is their turn, including time off."""
    waiting = waiting_tables(guest).filter(pace="days", due_at__isnull=False)
    for row in waiting.prefetch_related("seats__guest")[:MOST]:
        game = GameSummary.of(row, guest)
        title = gettext("Deadline: {game}, {opponents}")
        yield Event(
            uid=f"deadline-{row.code}",
            at=row.due_at or 0.0,
            title=title.format(game=game.title, opponents=game.opponents),
            path=reverse("table", args=[row.code]),
            changed_at=row.changed_at.timestamp(),
        )


def _beginning(row: Tournament, now: float) -> Event:
    is_cancelled = row.state == State.CANCELLED
    begun_at = row.begins_at if row.begins_at <= now else row.created_at  # it may have begun early
    return Event(
        uid=f"tournament-{row.code}",
        at=row.begins_at,
        title=gettext("{name} starts").format(name=row.name),
        path=reverse("tournament", args=[row.code]),
        changed_at=row.ended_at or row.created_at if is_cancelled else max(begun_at, row.created_at),
        is_cancelled=is_cancelled,
    )


def _ending(row: Round) -> Event:
    title = gettext("{name}: round {number} ends by")
    return Event(
        uid=f"tournament-{row.tournament.code}-round-{row.number}",
        at=row.ends_at,
        title=title.format(name=row.tournament.name, number=row.number),
        path=reverse("tournament", args=[row.tournament.code]),
        changed_at=row.begun_at,
    )


REFRESH = timedelta(hours=1)
"""The refresh interval suggested to calendar programs."""


def calendar_text(name: str, events: Sequence[Event], site: str) -> bytes:
    """The iCalendar text of events. `site` is the site's address, which is prefixed to the events' paths."""
    import icalendar  # imported late, as few requests need it

    calendar = icalendar.Calendar()
    calendar.add("prodid", f"-//Kakomi//Kakomi {__version__}//EN")
    calendar.add("version", "2.0")
    for name_of_name in ("name", "x-wr-calname"):  # the standard one, and the one that all programs read
        calendar.add(name_of_name, name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(_component(event, site))
    return bytes(calendar.to_ical())


def _component(event: Event, site: str) -> "icalendar.Event":
    import icalendar

    made = icalendar.Event()
    made.add("uid", f"{event.uid}@kakomi")
    made.add("dtstamp", _moment(event.changed_at))
    made.add("dtstart", _moment(event.at))
    made.add("summary", event.title)
    made.add("url", site + event.path)
    made.add("status", "CANCELLED" if event.is_cancelled else "CONFIRMED")
    made.add("transp", "TRANSPARENT")  # doesn't mark the time as busy
    return made


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def renew_address(guest: Guest) -> None:
    """Give a guest's calendar a new URL. The old one stops working."""
    with writing():
        CalendarAddress.objects.update_or_create(guest=guest, defaults={"token": new_token()})


def take_over_calendar(*, left: Guest, guest: Guest, **_named: object) -> None:
    """Move the URL of `left` to `guest`, who is the same person, or delete it if `guest` has one."""
    own = CalendarAddress.objects.filter(guest=left)
    if CalendarAddress.objects.filter(guest=guest).exists():
        own.delete()
    else:
        own.update(guest=guest)
