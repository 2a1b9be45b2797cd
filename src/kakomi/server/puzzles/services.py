"""Answering puzzles: nothing else writes attempts."""

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.clock import now
from kakomi.server.database import writing
from kakomi.server.puzzles.models import Attempt
from kakomi.study.puzzles.puzzle import Puzzle, is_whole_turn, played


def answer(guest: Guest, puzzle: Puzzle, actions: str) -> Attempt:
    """A guest's answer, which counts once: whoever has answered before gets that attempt back.

    Raises IllegalAction for what can't be played, and for less or more than a turn.
    """
    begun, actions = puzzle.shown(), " ".join(actions.split())
    after = played(begun, actions)
    if not is_whole_turn(begun, after):
        raise IllegalAction(lazy_message("this is not a whole turn yet"))
    given = {"answer": actions, "is_right": puzzle.is_right(begun, after), "at": now()}
    with writing():
        return Attempt.objects.get_or_create(guest=guest, puzzle=puzzle.name, defaults=given)[0]


def take_over_attempts(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest the attempts of another one who was the same person; of two at one puzzle the guest's own
    stays. Inside a transaction, both locked."""
    own = list(Attempt.objects.filter(guest=guest).values_list("puzzle", flat=True))
    Attempt.objects.filter(guest=left, puzzle__in=own).delete()
    Attempt.objects.filter(guest=left).update(guest=guest)
