"""The proof of an exercise: every right answer makes sure of what is claimed, and no other answer does."""

from collections.abc import Iterator

from kakomi.core import Game, IllegalAction
from kakomi.core.attempt import Attempt, attempt_at
from kakomi.core.example import Claim, Example
from kakomi.solve import margin
from kakomi.study.exercises.margins import is_sure


def flaws(game: Game, exercise: Example) -> Iterator[str]:
    """What is wrong with an exercise, in a game with its options; nothing if it is proved.

    Follows every attempt that a reader can make. Raises TooManyPositionsError.
    """
    if exercise.claim is None or len(exercise.steps) != 1:
        yield "an exercise has a claim and one step"
        return
    begun = attempt_at(game, exercise)
    told = set(exercise.lines)
    for attempt in _answers(begun):
        told.discard(" ".join(attempt.played))
        yield from _flaws_of(attempt, exercise.claim)
    yield from (f"there is no answer {answer!r} to tell of" for answer in sorted(told))


def _answers(attempt: Attempt) -> Iterator[Attempt]:
    """All attempts from here on that are right or missed, and none that go on."""
    for action in attempt.position.legal():
        after = attempt.then(action)
        if after.is_open:
            yield from _answers(after)
        else:
            yield after


def _flaws_of(answer: Attempt, claim: Claim) -> Iterator[str]:
    said, is_right, seat = " ".join(answer.played), answer.step is None, answer.seat
    turns = claim.turns if claim.turns is None or answer.position.turn else claim.turns - 1
    if is_sure(answer.position, seat, claim.at_least, turns) != is_right:
        yield f"{said} is {'called right' if is_right else 'missed'}, and that is wrong"
    elif answer.line:
        yield from _flaws_of_line(answer, claim)
    elif not is_right and claim.turns != 1 and not answer.position.is_over:
        yield f"{said} is missed, and no line says why"


def _flaws_of_line(answer: Attempt, claim: Claim) -> Iterator[str]:
    said, is_right, seat = " ".join(answer.played), answer.step is None, answer.seat
    try:
        position = answer.position.play(" ".join(answer.line))
        replied = answer.position.play(" ".join(answer.reply)) if answer.reply else answer.position
    except IllegalAction as error:
        yield f"the line after {said} can't be played: {error}"
        return
    if claim.turns is None and not position.is_over:
        yield f"the line after {said} doesn't come to the end of the game"
    if (margin(position, seat) >= claim.at_least) != is_right:
        yield f"the line after {said} ends with a margin of {margin(position, seat)}"
    turns = claim.turns if claim.turns is None else max(0, claim.turns - 2)
    if not is_right and is_sure(replied, seat, claim.at_least, turns):
        yield f"what is replied to {said} doesn't refute it"
