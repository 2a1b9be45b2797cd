"""What first turns are worth under best play, by the solver."""

from collections.abc import Callable

from kakomi.core import Game, Position
from kakomi.solve import Prover
from kakomi.solve.prover import DRAW, WIN
from kakomi.study.openings.classes import Key, TurnClasses

MEMORY_MB = 512

Tell = Callable[[int, int, int], None]
"""Called with how many classes are done, how many there are, and the positions looked at so far."""


def exact_margins(
    classes: TurnClasses, memory_mb: float = MEMORY_MB, tell: Tell = lambda done, of, positions: None
) -> dict[Key, int]:
    """The margin of every class of first turns under best play: the score at the end of who begins, less the
    other's.

    Raises ValueError for a game of more than two players, one that can't be solved, or one of too many
    first turns.
    """
    game, listed = classes.game, classes.all
    if game.players != 2:
        raise ValueError(f"{game.name} has {game.players} players here; first turns are solved among two")
    if listed is None:
        raise ValueError(f"{game.name} has too many first turns here to solve them all")
    found: dict[Key, int] = {}
    asked = _Margins(game, memory_mb, lambda positions: tell(len(found), len(listed), positions))
    for one in listed:
        found[one.key] = asked.of(classes.after(one.turn))
    return found


class _Margins:
    """One solver for all that play comes to from the start: what it finds of one turn helps with others."""

    def __init__(self, game: Game, memory_mb: float, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._prover = Prover(game.start(), None, self._goes_on, memory_mb)
        self._prover.solver.run(self._prover.goes_on)

    def of(self, position: Position) -> int:
        """The margin after a first turn: at most that of the start.

        Who wins is asked before by how much: thresholds far from the value take longest.
        """
        low, above = None, self._prover.solver.value + 1
        for points in (above - 1, WIN, DRAW):
            if low is None and points < above:
                low, above = (points, above) if self._prover.is_at_least(position, points) else (None, points)
        step = 1
        while low is None:
            points, step = above - step, 2 * step
            low, above = (points, above) if self._prover.is_at_least(position, points) else (None, points)
        while above - low > 1:
            middle = (low + above) // 2
            low, above = (middle, above) if self._prover.is_at_least(position, middle) else (low, middle)
        return low

    def _goes_on(self) -> bool:
        self._tell(self._prover.spent)
        return True
