"""What staff do with schedules, and how the site announces a tournament: once, whichever process does it."""

import logging
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import User
from kakomi.server.database import writing
from kakomi.server.moderation.audit_log import note, was_done
from kakomi.server.schedules.models import LONGEST_TITLE, Occurrence, Schedule
from kakomi.server.schedules.rules import Rule
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.repeats import repeat
from kakomi.server.tournaments.terms import SHORTEST_NAME
from kakomi.session import Refused
from kakomi.session.time_control import DAY

ANNOUNCE_DAYS = (3, 7, 14, 30)
"""The days before it begins on which a tournament may be announced."""
MOST_GOING = 20
"""Schedules that are on at a time."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plan:
    """A schedule as somebody asks for it."""

    name: str
    rule: Rule
    announce_days: int

    def check(self) -> None:
        """Raise Refused for what can't be, in one sentence."""
        name = self.name
        if not SHORTEST_NAME <= len(name) <= LONGEST_TITLE or not name.isprintable() or name != name.strip():
            raise Refused(
                lazy_message(
                    "Write a name of {least} to {most} letters, digits and the like, in one line.",
                    least=SHORTEST_NAME,
                    most=LONGEST_TITLE,
                )
            )


def set_up(pattern: Tournament, plan: Plan, by: User, key: str) -> None:
    """Have a tournament come again by a rule; the same form is the same schedule. Raises Refused."""
    plan.check()
    rule = plan.rule
    with writing():
        Tournament.objects.select_for_update().get(pk=pattern.pk)  # a double click
        if was_done(by, key):
            return
        if Schedule.objects.filter(is_on=True).count() >= MOST_GOING:
            raise Refused(lazy_message("There are {most} schedules: switch one off first.", most=MOST_GOING))
        row = Schedule(
            pattern=pattern,
            name=plan.name,
            frequency=rule.frequency,
            weekday=rule.weekday,
            interval=rule.interval,
            week=rule.week,
            minute=rule.minute,
            zone=rule.zone,
            since=rule.since,
            announce_days=plan.announce_days,
        )
        _wait_for(row, rule.next(rule.since))
        row.save()
        note(by, None, "schedule", plan.name, key, {"schedule": row.pk})


def switch(row: Schedule, by: User, key: str, *, is_on: bool) -> None:
    """Switch a schedule off, or on again from now on; what was announced stays."""
    with writing():
        row = Schedule.objects.select_for_update().get(pk=row.pk)
        if row.is_on == is_on or was_done(by, key):
            return
        row.is_on = is_on
        _wait_for(row, row.rule.next(max(clock.now(), _last(row))))
        row.save()
        note(by, None, "schedule on" if is_on else "schedule off", row.name, key, {"schedule": row.pk})


def _last(row: Schedule) -> float:
    last = row.occurrences.last()
    return last.at if last else 0.0


def announce(number: int) -> None:
    """Announce what is due of a schedule. What would have begun already, as after an outage, is left out."""
    with writing():
        row = Schedule.objects.select_for_update().get(pk=number)
        now = clock.now()
        while row.is_on and row.announce_at <= now:
            if row.next_at > now:
                _announce_next(row)
            else:
                _LOG.warning(
                    "the tournament of schedule %s at %.0f was missed, and is left out", number, row.next_at
                )
            _wait_for(row, row.rule.next(row.next_at))
        row.save()


def _announce_next(row: Schedule) -> None:
    row.count += 1
    made = repeat(row.pattern, f"{row.name} {row.count}", row.next_at, f"schedule-{row.pk}-{row.count}")
    Occurrence.objects.create(schedule=row, at=row.next_at, number=row.count, tournament=made)


def _wait_for(row: Schedule, at: float) -> None:
    row.next_at, row.announce_at = at, at - row.announce_days * DAY
