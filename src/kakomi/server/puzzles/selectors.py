"""Questions to the database about puzzles."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import Q, QuerySet
from django.http import Http404

from kakomi.contest import FIRST, Rating, Standing
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.clock import now
from kakomi.server.puzzles import collection
from kakomi.server.puzzles.models import Attempt, PuzzleRating
from kakomi.server.puzzles.ratings import first_rating
from kakomi.study.puzzles.puzzle import Puzzle

MOST = 24
"""Attempts of a page."""


@dataclass(frozen=True)
class RatedAttempt:
    """An attempt, and what was known of the person before it."""

    attempt: Attempt
    before: Rating


@dataclass(frozen=True)
class AttemptPage:
    """Some of a person's attempts, the last one first."""

    attempts: Sequence[RatedAttempt]
    older: str | None
    """The puzzle of the last of these, if there are attempts before it."""


def today() -> date:
    """The day by the site's clock, in UTC: puzzles change at the same moment for everybody."""
    return datetime.fromtimestamp(now(), UTC).date()


def shown_day(text: str, today: date) -> date:
    """The day that an address names, today if it names none. Raises Http404 for what is no day, and for one
    too late or too early."""
    if not text:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Http404(lazy_message("A day is written like {example}.", example=today.isoformat())) from None
    if not collection.first_shown(today) <= day <= today:
        raise Http404(
            lazy_message(
                "There are the puzzles of today, {today}, and of the {days} days before.",
                today=today.isoformat(),
                days=collection.DAYS_BACK,
            )
        )
    return day


def find_puzzle(name: str) -> Puzzle:
    """The puzzle of a name. Raises Http404."""
    found = collection.all_puzzles().get(name)
    if found is None:
        raise Http404(lazy_message("There is no puzzle of that name. Those of today are under Puzzles."))
    return found


def attempts_at(guest: Guest | None, puzzles: Collection[Puzzle]) -> Mapping[str, Attempt]:
    """A guest's attempts at some puzzles, by the puzzles' names."""
    if guest is None:
        return {}
    names = [puzzle.name for puzzle in puzzles]
    return {attempt.puzzle: attempt for attempt in Attempt.objects.filter(guest=guest, puzzle__in=names)}


def ratings_of(puzzles: Collection[Puzzle]) -> Mapping[str, Rating]:
    """How hard some puzzles are, by their names."""
    rows = PuzzleRating.objects.filter(pk__in=[puzzle.name for puzzle in puzzles])
    tried = {row.puzzle: row.rating for row in rows}
    return {puzzle.name: tried.get(puzzle.name) or first_rating(puzzle) for puzzle in puzzles}


def standing_of(guest: Guest | None) -> Standing | None:
    """What is known of a guest at puzzles; None before their first attempt."""
    attempts = Attempt.objects.filter(guest=guest) if guest else Attempt.objects.none()
    last = attempts.last()
    return Standing(last.rating, attempts.count(), last.at) if last else None


def rated(attempt: Attempt) -> RatedAttempt:
    """An attempt with what was known of the person before it."""
    earlier = _before(attempt).last()
    return RatedAttempt(attempt, earlier.rating if earlier else FIRST)


def attempts_of(guest: Guest, before: str = "") -> AttemptPage:
    """A guest's attempts, from the last one on, or from before that at a puzzle.

    Raises Http404 if they have not answered that.
    """
    rows = Attempt.objects.filter(guest=guest)
    if before:
        place = rows.filter(puzzle=before).first()
        if place is None:
            raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
        rows = _before(place)
    found = list(rows.reverse()[: MOST + 1])
    ratings = [*(attempt.rating for attempt in found[1:]), FIRST]
    shown = list(map(RatedAttempt, found, ratings))[:MOST]
    return AttemptPage(shown, found[MOST - 1].puzzle if len(found) > MOST else None)


def _before(attempt: Attempt) -> QuerySet[Attempt]:
    """The same person's attempts before one."""
    earlier = Q(at__lt=attempt.at) | Q(at=attempt.at, pk__lt=attempt.pk)
    return Attempt.objects.filter(earlier, guest=attempt.guest_id)
