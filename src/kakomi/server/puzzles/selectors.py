"""Questions to the database about puzzles."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime

from kakomi.contest import Rating, Standing
from kakomi.server.accounts.models import Guest
from kakomi.server.clock import now
from kakomi.server.puzzles.models import Attempt, PuzzleRating
from kakomi.server.puzzles.ratings import first_rating
from kakomi.study.puzzles.puzzle import Puzzle


def today() -> date:
    """The day by the site's clock, in UTC: puzzles change at the same moment for everybody."""
    return datetime.fromtimestamp(now(), UTC).date()


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
