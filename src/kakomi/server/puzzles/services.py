"""Answering puzzles. Nothing else writes attempts."""

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.puzzles import Puzzle, is_whole_turn, played
from kakomi.server.accounts.models import Guest
from kakomi.server.puzzles.models import Attempt
from kakomi.server.site.clock import now
from kakomi.server.site.database import writing


def answer(guest: Guest, puzzle: Puzzle, actions: str) -> Attempt:
    """Store a guest's answer, or return the earlier one if there is any. Raises as `judged`."""
    given = judged(puzzle, actions)
    with writing():
        defaults = {"answer": given.answer, "is_right": given.is_right, "at": given.at}
        return Attempt.objects.get_or_create(guest=guest, puzzle=puzzle.name, defaults=defaults)[0]


def judged(puzzle: Puzzle, actions: str) -> Attempt:
    """An answer that isn't stored, as at another try.

    Raises `IllegalAction` for illegal actions, and for anything but exactly one turn.
    """
    begun, actions = puzzle.shown(), " ".join(actions.split())
    after = played(begun, actions)
    if not is_whole_turn(begun, after):
        raise IllegalAction(lazy_message("this move isn’t complete yet"))
    return Attempt(puzzle=puzzle.name, answer=actions, is_right=puzzle.is_right(begun, after), at=now())


def take_over_attempts(*, left: Guest, guest: Guest, **_: object) -> None:
    """Move attempts from `left` to `guest`, the same person; where both have one, `guest`'s stays. Call in a
    transaction, with both rows locked."""
    own = list(Attempt.objects.filter(guest=guest).values_list("puzzle", flat=True))
    Attempt.objects.filter(guest=left, puzzle__in=own).delete()
    Attempt.objects.filter(guest=left).update(guest=guest)
