"""Queries for puzzles and attempts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from statistics import fmean

from django.db.models import Count, Q
from django.http import Http404

from kakomi import catalog
from kakomi.bots import levels_of
from kakomi.contest import Rating
from kakomi.contest.ratings import BEGINNER
from kakomi.core.i18n import lazy_message
from kakomi.puzzles import Puzzle
from kakomi.server.accounts.models import Guest
from kakomi.server.puzzles import collection
from kakomi.server.puzzles.collection import strength_of_level
from kakomi.server.puzzles.models import Attempt
from kakomi.server.ratings.selectors import ratings_of
from kakomi.server.site.clock import now
from kakomi.server.tables.suggestion import bot_games, suggested

MOST = 24
"""Attempts per page."""


@dataclass(frozen=True)
class Score:
    """How many puzzles a person has answered, and how many of them correctly."""

    answered: int = 0
    solved: int = 0


@dataclass(frozen=True)
class AttemptPage:
    """A page of a person's attempts, latest first."""

    attempts: Sequence[Attempt]
    older: str | None
    """The puzzle of the earliest attempt on the page, if there are earlier ones."""


def today() -> date:
    """Today by the site's clock, in UTC, so that puzzles change at the same moment for everyone."""
    return datetime.fromtimestamp(now(), UTC).date()


def shown_day(text: str, today: date) -> date:
    """The day in a query; today if empty. Raises `Http404` if it is malformed, too early or too late."""
    if not text:
        return today
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Http404(lazy_message("Enter a date such as {example}.", example=today.isoformat())) from None
    if not collection.first_shown(today) <= day <= today:
        raise Http404(
            lazy_message(
                "You can solve the puzzles of today ({today}) and of the {days} days before.",
                today=today.isoformat(),
                days=collection.DAYS_BACK,
            )
        )
    return day


def find_puzzle(name: str) -> Puzzle:
    """The puzzle with a name. Raises `Http404`."""
    found = collection.all_puzzles().get(name)
    if found is None:
        raise Http404(lazy_message("Puzzle not found. Today’s puzzles are under Puzzles."))
    return found


def attempts_at(guest: Guest | None, puzzles: Collection[Puzzle]) -> Mapping[str, Attempt]:
    """Puzzle name -> the guest's attempt, for the puzzles they have answered."""
    if guest is None:
        return {}
    names = [puzzle.name for puzzle in puzzles]
    return {attempt.puzzle: attempt for attempt in Attempt.objects.filter(guest=guest, puzzle__in=names)}


def puzzles_for(guest: Guest | None, day: date) -> list[Puzzle]:
    """The guest's puzzles of a day. Answers given on that day or later don't affect the choice."""
    known, begins = collection.all_puzzles(), datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
    before = Attempt.objects.filter(guest=guest, at__lt=begins).reverse() if guest else ()
    answers = [(known[attempt.puzzle], attempt.is_right) for attempt in before if attempt.puzzle in known]
    rating = _settled_rating(guest) if guest else None
    first = _strength_against_bots(guest) if guest and not (rating or answers) else BEGINNER
    level = collection.level_of(rating, answers[: collection.COUNTED], first)
    return collection.puzzles_of_day(known.values(), day, level, {puzzle.name for puzzle, _ in answers})


def score_of(guest: Guest | None) -> Score:
    """A guest's score so far."""
    if guest is None:
        return Score()
    right = Count("pk", filter=Q(is_right=True))
    return Score(**Attempt.objects.filter(guest=guest).aggregate(answered=Count("pk"), solved=right))


def attempts_of(guest: Guest, before: str = "") -> AttemptPage:
    """A page of a guest's attempts, latest first, or of those before the attempt at puzzle `before`.

    Raises `Http404` if they haven't answered that puzzle.
    """
    rows = Attempt.objects.filter(guest=guest)
    if before:
        place = rows.filter(puzzle=before).first()
        if place is None:
            raise Http404(lazy_message("There is no such page in this list. Go back to the first one."))
        rows = rows.filter(Q(at__lt=place.at) | Q(at=place.at, pk__lt=place.pk))
    found = list(rows.reverse()[: MOST + 1])
    return AttemptPage(found[:MOST], found[MOST - 1].puzzle if len(found) > MOST else None)


def _strength_against_bots(guest: Guest) -> float:
    """The mean strength of the levels that a guest would play next; a beginner's before any game."""
    games = bot_games(guest).items()
    last = {game: levels_of(catalog.describe(game))[-1] for game, _ in games}
    levels = [(game, suggested(played, last[game]).level) for game, played in games]
    return fmean(strength_of_level(*level) for level in levels) if levels else BEGINNER


def _settled_rating(guest: Guest) -> Rating | None:
    """A guest's rating with the most games, once it is shown; None if there is none."""
    settled = [known for known in ratings_of(guest) if not known.is_new]
    return max(settled, key=lambda known: known.games).rating if settled else None
