"""The margin that a player can make sure of: by the rules for some turns, by the solver to the end."""

from collections.abc import Callable

from kakomi.core import Position
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
