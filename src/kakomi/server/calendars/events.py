"""What is coming for somebody or in a tournament, and its text for calendars (RFC 5545, RFC 7986)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from kakomi import __version__
from kakomi.server.accounts.models import Guest
from kakomi.server.tables.selectors import waiting_tables
from kakomi.server.tables.summaries import GameSummary
from kakomi.server.tournaments.models import Round, Tournament
from kakomi.session.time_control import DAY

if TYPE_CHECKING:
    import icalendar


KEPT_SECONDS = 30 * DAY
"""So long after it began a tournament's beginning stays: programs delete what a feed has no more."""
MOST = 300
"""Tournaments, rounds and games, each, in one calendar."""
State = Tournament.State


@dataclass(frozen=True)
class Event:
    """A moment that somebody may want in their calendar."""

    uid: str
    """The same for as long as the event is about the same, whenever it is."""
    at: float
    """Seconds since the epoch, as the other moments are."""
    title: str
    path: str
    """The page that it leads to."""
    changed_at: float
    """When it came to be as it is."""
    is_cancelled: bool = False


def events_of(tournaments: "QuerySet[Tournament]", now: float) -> list[Event]:
    """When some tournaments begin, and when their rounds end at the latest; the first moment first."""
    lately = tournaments.filter(begins_at__gt=now - KEPT_SECONDS).order_by("-begins_at", "pk")[:MOST]
    rounds = Round.objects.filter(tournament__in=tournaments, is_over=False, tournament__state=State.RUNNING)
    found = [*map(_beginning, lately), *map(_ending, rounds.select_related("tournament")[:MOST])]
    return sorted(found, key=lambda event: (event.at, event.uid))


def events_of_guest(guest: Guest, now: float) -> list[Event]:
    """Moments of the tournaments that somebody is in or organises, and until when they have to act."""
    entered = Q(entrants__guest=guest, entrants__is_in=True) | Q(organiser=guest)
    own = Tournament.objects.filter(pk__in=Tournament.objects.filter(entered).values("pk"))
    return sorted([*events_of(own, now), *_deadlines(guest)], key=lambda event: (event.at, event.uid))


def _deadlines(guest: Guest) -> Iterator[Event]:
    """When the clocks of a guest's games over days would run out, whose turn it is; rests are taken in."""
    waiting = waiting_tables(guest).filter(pace="days", due_at__isnull=False)
    for row in waiting.prefetch_related("seats__guest")[:MOST]:
        game = GameSummary.of(row, guest)
        title = gettext("Your time ends: {game}, {opponents}")
        yield Event(
            uid=f"deadline-{row.code}",
            at=row.due_at or 0.0,
            title=title.format(game=game.title, opponents=game.opponents),
            path=reverse("table", args=[row.code]),
            changed_at=row.changed_at.timestamp(),
        )


def _beginning(row: Tournament) -> Event:
    is_cancelled = row.state == State.CANCELLED
    return Event(
        uid=f"tournament-{row.code}",
        at=row.begins_at,
        title=gettext("{name} begins").format(name=row.name),
        path=reverse("tournament", args=[row.code]),
        changed_at=row.ended_at or row.created_at if is_cancelled else row.created_at,
        is_cancelled=is_cancelled,
    )


def _ending(row: Round) -> Event:
    title = gettext("{name}: round {number} ends at the latest")
    return Event(
        uid=f"tournament-{row.tournament.code}-round-{row.number}",
        at=row.ends_at,
        title=title.format(name=row.tournament.name, number=row.number),
        path=reverse("tournament", args=[row.tournament.code]),
        changed_at=row.begun_at,
    )


REFRESH = timedelta(hours=1)
"""After which programs are told to ask again."""


def calendar_text(name: str, events: Sequence[Event], site: str) -> bytes:
    """A calendar of a name; `site` is the address of the site, to which the paths of events are added."""
    import icalendar  # few requests need it

    calendar = icalendar.Calendar()
    calendar.add("prodid", f"-//Kakomi//Kakomi {__version__}//EN")
    calendar.add("version", "2.0")
    for name_of_name in ("name", "x-wr-calname"):  # the standard's, and the one that all programs read
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
    made.add("transp", "TRANSPARENT")  # nobody is busy then
    return made


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
