"""Weekly and monthly tournaments: once an edition has begun, the next one opens."""

from calendar import monthrange
from datetime import datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import lock_people
from kakomi.server.moderation.restrictions import barred_from_games
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.logs import publish_change
from kakomi.server.tournaments.models import LONGEST_NAME, Tournament
from kakomi.server.tournaments.selectors import expect_director, is_at_limit
from kakomi.session import Refused

TERMS = (
    *("organiser", "game", "terms", "format", "is_rated", "most", "takes_late", "takes_bots", "filler"),
    *("round_days", "repeat", "first_at", "description"),
)
"""The fields that all editions share."""


def next_beginning(first: float, repeat: str, zone: str, after: float) -> float:
    """The first time after `after` that is whole weeks or months after the first edition began.

    It has the same local time of day in a time zone, and is on the last day of a month that is too short. A
    local time that daylight saving skips is moved later by the length of the gap. If a time occurs twice,
    the first one is used.
    """
    place = ZoneInfo(zone)
    shown = datetime.fromtimestamp(first, place).replace(tzinfo=None, fold=0)
    moments = (_shifted(shown, repeat, number).replace(tzinfo=place).timestamp() for number in count(1))
    return next(moment for moment in moments if moment > after)


def _shifted(day: datetime, repeat: str, number: int) -> datetime:
    if repeat == Tournament.Repeat.WEEKLY:
        return day + timedelta(weeks=number)
    year, month = divmod(12 * day.year + day.month - 1 + number, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


def open_next(number: int) -> None:
    """Open the edition after one that has begun, unless it exists.

    It waits while the organiser may not begin games or has reached the limit of tournaments. Dates that pass
    in the meantime are skipped.
    """
    with writing():
        row = logs.locked(number)
        if row.next_at is None or row.state == Tournament.State.OPEN:
            return
        lock_people([row.organiser_id])  # for the limit
        organiser, now = Guest.objects.get(pk=row.organiser_id), clock.now()
        if organiser.is_erased:
            _end(row)
        elif not is_at_limit(organiser) and not barred_from_games([organiser.pk]):
            begins_at = row.next_at
            if begins_at <= now:
                begins_at = next_beginning(row.first_at, row.repeat, organiser.time_zone, now)
            _open_edition(row, begins_at, now)


def _open_edition(row: Tournament, begins_at: float, now: float) -> None:
    """Create the edition after a locked one."""
    zone = row.organiser.time_zone
    Tournament.objects.create(
        **{name: getattr(row, name) for name in TERMS},
        key=f"after-{row.code}",
        previous=row,
        edition=row.edition + 1,
        name=_name_after(row),
        next_at=next_beginning(row.first_at, row.repeat, zone, begins_at),
        created_at=now,
        begins_at=begins_at,
        due_at=begins_at,
    )
    row.next_at = None
    row.save(update_fields=["next_at"])
    publish_change(row)


def _name_after(row: Tournament) -> str:
    """The name of the next edition, which ends in its number."""
    number = f" {row.edition + 1}"
    name = row.name.removesuffix(f" {row.edition}")
    return name[: LONGEST_NAME - len(number)].rstrip() + number


def stop(row: Tournament, by: Guest) -> None:
    """Stop repeating a tournament, as a director. Raises Refused if the next edition is already open."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if row.next_at is not None:
            _end(row)
            publish_change(row)
        elif Tournament.objects.filter(previous=row).exists():
            raise Refused(lazy_message("The next edition is already open: stop the repetition on its page."))


def _end(row: Tournament) -> None:
    row.repeat, row.next_at = "", None
    row.save(update_fields=["repeat", "next_at"])
