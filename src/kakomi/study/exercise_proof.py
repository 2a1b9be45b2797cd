"""The proof of an exercise: every right answer makes sure of what is claimed, and no other answer does.

A margin is made sure of by the rules for some turns, or by the solver to the end.
"""

from collections.abc import Callable, Iterator

from kakomi.core import Game, IllegalAction, Position
from kakomi.core.attempt import Attempt, attempt_at
from kakomi.core.example import Claim, Example
from kakomi.solve import Solver, margin

MEMORY_MB = 16
MOST_POSITIONS = 300_000
"""Of a claim about some turns; their number grows fast."""
_Known = dict[tuple[bytes, int], tuple[int, tuple[int, ...]]]


class TooManyPositionsError(Exception):
    """A claim about too many positions to look at."""


def is_sure(position: Position, seat: int, at_least: int, turns: int | None) -> bool:
    """Whether a seat can make sure of a margin after so many turns; None: at the end of the game.

    Raises TooManyPositionsError.
    """
    if turns is not None or position.is_over:
        return _after_turns(position, seat, turns or 0, {})[0] >= at_least
    solver = Solver(position, seat, MEMORY_MB)
    solver.settle(at_least)
    return solver.bounds.lower is not None and solver.bounds.lower >= at_least


def sure_margin(
    position: Position, seat: int, turns: int | None, goes_on: Callable[[], bool] = lambda: True
) -> tuple[int, tuple[str, ...]] | None:
    """The margin that a seat can make sure of after so many turns, and a line of best play; None if `goes_on`
    stopped the search.

    Raises TooManyPositionsError.
    """
    texts = position.game.action_texts
    if turns is not None or position.is_over:
        value, line = _after_turns(position, seat, turns or 0, {})
        return value, tuple(texts[action] for action in line)
    solver = Solver(position, seat, MEMORY_MB)
    if not solver.run(lambda _: goes_on()):
        return None
    best = solver.line(lambda _: goes_on())
    return None if best is None else (solver.value, tuple(texts[action] for action in best))


def _after_turns(position: Position, seat: int, turns: int, known: _Known) -> tuple[int, tuple[int, ...]]:
    """The margin after some turns in which the seat plays for it and all others against it, and a line."""
    if position.is_over or turns == 0:
        return margin(position, seat), ()
    key = position.key(), turns
    if key not in known:
        if len(known) >= MOST_POSITIONS:
            raise TooManyPositionsError(
                f"a claim about {turns} turns at {position} is about too many positions"
            )
        answers = []
        for action in position.legal_actions():
            after = position.play_action(action)
            value, line = _after_turns(after, seat, turns if after.turn else turns - 1, known)
            answers.append((value, (action, *line)))
        choose = max if position.to_move == seat else min
        known[key] = choose(answers, key=lambda answer: answer[0])
    return known[key]


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
