"""What the site does again and again for the lobby; every process does it all, under people's locks."""

from collections.abc import Callable

from django.db.models import Q, QuerySet

from kakomi.server import clock
from kakomi.server.accounts.services import with_people
from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.conditions import held_up
from kakomi.server.lobby.models import Place, Seek
from kakomi.server.lobby.news import guest_of_topic
from kakomi.server.lobby.notices import tell_ended
from kakomi.server.lobby.pairing import PAIRING_SCHEDULE, PairingSchedule
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.services import end, let_go, settle
from kakomi.server.realtime import BROKER

GONE_SECONDS = 30.0
"""A live seek ends when its owner's pages have been closed for so long. Going from one page to another, or a
connection that is made again, takes much less."""


def note_presence() -> None:
    """Note of live seeks that their people have a page open, if they have it from this process."""
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


@works_on(_stale, _gone)
def end_stale() -> None:
    """End seeks whose time is over, and live ones whose owner has gone; others who have gone leave theirs."""
    now = clock.now()
    for seek in _stale(now).values_list("pk", flat=True):
        _with_seek(seek, _end_if_stale)
    for seek in set(_gone(now).values_list("seek", flat=True)):
        _with_seek(seek, _let_go_if_gone)


def _gathered(now: float) -> "QuerySet[Seek]":
    return _WAITING.filter(starts_at__lte=now)


@works_on(_gathered)
def begin_gathered() -> None:
    """Begin the games of those who have waited long enough for more players."""
    for seek in _gathered(clock.now()).values_list("pk", flat=True):
        _with_seek(seek, _begin)


def _begin(seek: SeekState, now: float, concerned: set[int]) -> bool:
    """Begin a seek's game; those who may begin none by now don't keep the others waiting."""
    if not (stay_away := held_up(seek)):
        return bool(settle(seek, now, concerned))
    if seek.row.owner_id not in stay_away:
        return let_go(seek.row, stay_away)
    end(seek.row, Seek.Ending.EXPIRED, now)
    tell_ended(seek.row)
    return True


@works_on(lambda now: PairingSchedule.several())
def pair_waiting() -> None:
    """Bring wishes together that were made at the same moment, or that fit since somebody has waited."""
    PAIRING_SCHEDULE.run()


def _with_seek(number: int, do: Callable[[SeekState, float, set[int]], bool]) -> None:
    """Do something with a seek that still waits, under the locks of its people; tell them if it was done."""

    def done(people: frozenset[int]) -> None:
        concerned = set(people)
        state = next(iter(selectors.states(Seek.objects.filter(pk=number, ended_at=None))), None)
        if state and do(state, clock.now(), concerned):
            news.tell(concerned)

    with_people(lambda: selectors.people_in(number), done)


def _end_if_stale(seek: SeekState, now: float, concerned: set[int]) -> bool:
    del concerned
    row = seek.row
    if row.due_at <= now:
        end(row, Seek.Ending.EXPIRED, now)
        tell_ended(row)
    elif row.pace == "live" and row.seen_at <= now - GONE_SECONDS:
        end(row, Seek.Ending.GONE, now)
    return not row.is_open


def _let_go_if_gone(seek: SeekState, now: float, concerned: set[int]) -> bool:
    del concerned
    gone = [place.guest_id for place in seek.places if place.seen_at <= now - GONE_SECONDS]
    return let_go(seek.row, gone)
