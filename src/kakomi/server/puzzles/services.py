"""Answering puzzles: nothing else writes attempts or ratings of puzzles."""

from kakomi.contest import Standing
from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.locks import lock
from kakomi.server.accounts.models import Guest
from kakomi.server.clock import now
from kakomi.server.database import writing
from kakomi.server.puzzles.models import Attempt, PuzzleRating
from kakomi.server.puzzles.ratings import after_attempt, first_rating
from kakomi.server.puzzles.selectors import standing_of
from kakomi.study.puzzles.puzzle import Puzzle, is_whole_turn, played


def answer(guest: Guest, puzzle: Puzzle, actions: str) -> Attempt:
    """A guest's answer, which counts once: whoever has answered before gets that attempt back.

    Raises IllegalAction for what can't be played, and for less or more than a turn.
    """
    begun, actions = puzzle.shown(), " ".join(actions.split())
    after = played(begun, actions)
    if not is_whole_turn(begun, after):
        raise IllegalAction(lazy_message("this is not a whole turn yet"))
    is_right = puzzle.is_right(begun, after)
    with writing():
        lock([guest.pk])
        known = Attempt.objects.filter(guest=guest, puzzle=puzzle.name).first()
        return known or _count(guest, puzzle, actions, is_right=is_right)


def _count(guest: Guest, puzzle: Puzzle, actions: str, *, is_right: bool) -> Attempt:
    first, at = first_rating(puzzle), now()
    PuzzleRating.objects.get_or_create(
        puzzle=puzzle.name, defaults={"mean": first.mean, "sigma": first.sigma}
    )
    row = PuzzleRating.objects.select_for_update().get(puzzle=puzzle.name)
    before = row.rating
    person, rating = after_attempt(standing_of(guest) or Standing(), before, is_right=is_right, at=at)
    row.mean, row.sigma, row.attempts = rating.mean, rating.sigma, row.attempts + 1
    row.save()
    return Attempt.objects.create(
        guest=guest,
        puzzle=puzzle.name,
        answer=actions,
        is_right=is_right,
        at=at,
        puzzle_mean=before.mean,
        puzzle_sigma=before.sigma,
        mean=person.rating.mean,
        sigma=person.rating.sigma,
    )


def take_over_attempts(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest the attempts of another one who was the same person; of two at one puzzle the guest's own
    stays. Inside a transaction, both locked."""
    own = Attempt.objects.filter(guest=guest).values("puzzle")
    Attempt.objects.filter(guest=left, puzzle__in=list(own.values_list("puzzle", flat=True))).delete()
    if Attempt.objects.filter(guest=left).update(guest=guest):
        _rate_again(guest)


def _rate_again(guest: Guest) -> None:
    """Have a person's rating follow from all of their attempts, each at a puzzle as hard as it was then."""
    standing = Standing()
    attempts = list(Attempt.objects.filter(guest=guest))
    for attempt in attempts:
        standing, _ = after_attempt(standing, attempt.puzzle_rating, is_right=attempt.is_right, at=attempt.at)
        attempt.mean, attempt.sigma = standing.rating.mean, standing.rating.sigma
    Attempt.objects.bulk_update(attempts, ["mean", "sigma"])
