"""Periodic jobs of the lobby. Every process runs them all, under people's locks."""

from collections.abc import Callable

from django.db.models import Q, QuerySet

from kakomi.server.accounts.services import with_locked_people
from kakomi.server.lobby import feed, selectors
from kakomi.server.lobby.conditions import barred_people
from kakomi.server.lobby.feed import guest_of_topic
from kakomi.server.lobby.models import Place, Seek
from kakomi.server.lobby.notices import notify_seek_expired
from kakomi.server.lobby.pairing import PAIRING_SCHEDULE, PairingSchedule
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.services import end_seek, remove_people, settle
from kakomi.server.realtime import BROKER
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.jobs import has_work_in

GONE_SECONDS = 30.0
"""How long its owner's pages must have been closed for a live seek to end. Changing pages or reconnecting
takes much less."""


def note_presence() -> None:
    """Record that the people in live seeks whose pages are connected to this process are present."""
    here = [guest for code in BROKER.watched() if (guest := guest_of_topic(code)) is not None]
    if here:
        with writing():
            now = clock.now()
            live = Seek.objects.filter(ended_at=None, pace="live")
            live.filter(owner__in=here).update(seen_at=now)
            Place.objects.filter(guest__in=here, seek__in=live).update(seen_at=now)


_WAITING = Seek.objects.filter(ended_at=None)


def _stale(now: float) -> "QuerySet[Seek]":
    return _WAITING.filter(Q(due_at__lte=now) | Q(pace="live", seen_at__lte=now - GONE_SECONDS))


def _gone(now: float) -> "QuerySet[Place]":
    return Place.objects.filter(seek__in=_WAITING.filter(pace="live"), seen_at__lte=now - GONE_SECONDS)


@has_work_in(_stale, _gone)
def end_stale() -> None:
    """End expired seeks and live ones whose owner has gone; remove others who have gone from theirs."""
    now = clock.now()
    for seek in _stale(now).values_list("pk", flat=True):
        _with_seek(seek, _end_if_stale)
    for seek in set(_gone(now).values_list("seek", flat=True)):
        _with_seek(seek, _let_go_if_gone)


def _gathered(now: float) -> "QuerySet[Seek]":
    return _WAITING.filter(starts_at__lte=now)


@has_work_in(_gathered)
def begin_gathered() -> None:
    """Begin the games of seeks that have waited long enough for more players."""
    for seek in _gathered(clock.now()).values_list("pk", flat=True):
        _with_seek(seek, _begin)


def _begin(seek: SeekState, now: float, concerned: set[int]) -> bool:
    """Begin a seek's game. People who may no longer begin one are removed; without its owner a seek ends."""
    if not (barred := barred_people(seek)):
        return bool(settle(seek, now, concerned))
    if seek.row.owner_id not in barred:
        return remove_people(seek.row, barred)
    end_seek(seek.row, Seek.Ending.EXPIRED, now)
    notify_seek_expired(seek.row)
    return True


@has_work_in(lambda now: PairingSchedule.seeks_to_pair())
def pair_waiting() -> None:
    """Pair seeks that were created at the same moment, or have become compatible by waiting."""
    PAIRING_SCHEDULE.run()


def _with_seek(number: int, do: Callable[[SeekState, float, set[int]], bool]) -> None:
    """Apply `do` to a waiting seek under its people's locks, and notify them if it returns True."""

    def done(people: frozenset[int]) -> None:
        concerned = set(people)
        state = next(iter(selectors.states(Seek.objects.filter(pk=number, ended_at=None))), None)
        if state and do(state, clock.now(), concerned):
            feed.announce_change(concerned)

    with_locked_people(lambda: selectors.people_in(number), done)


def _end_if_stale(seek: SeekState, now: float, concerned: set[int]) -> bool:
    del concerned
    row = seek.row
    if row.due_at <= now:
        end_seek(row, Seek.Ending.EXPIRED, now)
        notify_seek_expired(row)
    elif row.pace == "live" and row.seen_at <= now - GONE_SECONDS:
        end_seek(row, Seek.Ending.GONE, now)
    return not row.is_open


def _let_go_if_gone(seek: SeekState, now: float, concerned: set[int]) -> bool:
    del concerned
    gone = [place.guest_id for place in seek.places if place.seen_at <= now - GONE_SECONDS]
    return remove_people(seek.row, gone)
