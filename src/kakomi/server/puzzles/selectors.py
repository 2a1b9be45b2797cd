"""Questions to the database about puzzles."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import Count, Q
from django.http import Http404

from kakomi.contest import Rating
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.clock import now
from kakomi.server.puzzles import collection
from kakomi.server.puzzles.models import Attempt
from kakomi.server.ratings.selectors import ratings_of
from kakomi.study.puzzles.puzzle import Puzzle

MOST = 24
"""Attempts of a page."""


@dataclass(frozen=True)
class Score:
    """How many puzzles somebody has answered, and how many rightly."""

    answered: int = 0
    solved: int = 0


@dataclass(frozen=True)
class AttemptPage:
    """Some of a person's attempts, the last one first."""

    attempts: Sequence[Attempt]
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


def puzzles_for(guest: Guest | None, day: date) -> list[Puzzle]:
    """Somebody's puzzles of a day. What they answer on that day or later changes nothing."""
    known, begins = collection.all_puzzles(), datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
    before = Attempt.objects.filter(guest=guest, at__lt=begins).reverse() if guest else ()
    answers = [(known[attempt.puzzle], attempt.is_right) for attempt in before if attempt.puzzle in known]
    rating = _settled_rating(guest) if guest else None
    level = collection.level_of(rating, answers[: collection.COUNTED])
    return collection.three_of(known.values(), day, level, {puzzle.name for puzzle, _ in answers})


def score_of(guest: Guest | None) -> Score:
    """What a guest has made of puzzles so far."""
    if guest is None:
        return Score()
    right = Count("pk", filter=Q(is_right=True))
    return Score(**Attempt.objects.filter(guest=guest).aggregate(answered=Count("pk"), solved=right))


def attempts_of(guest: Guest, before: str = "") -> AttemptPage:
    """A guest's attempts, from the last one on, or from before that at a puzzle.

    Raises Http404 if they have not answered that.
    """
    rows = Attempt.objects.filter(guest=guest)
    if before:
        place = rows.filter(puzzle=before).first()
        if place is None:
            raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
        rows = rows.filter(Q(at__lt=place.at) | Q(at=place.at, pk__lt=place.pk))
    found = list(rows.reverse()[: MOST + 1])
    return AttemptPage(found[:MOST], found[MOST - 1].puzzle if len(found) > MOST else None)


def _settled_rating(guest: Guest) -> Rating | None:
    """A guest's rating in the game that they have played most, among those that mean something already."""
    settled = [known for known in ratings_of(guest) if not known.is_provisional]
    return max(settled, key=lambda known: known.games).rating if settled else None
