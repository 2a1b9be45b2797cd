"""First turns of a game: which are equivalent, where their stones go, and their value under best play.

Turns are equivalent ("alike") if they lead to the same position up to a symmetry of the board.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry
from kakomi.draw.board_map import BoardMap
from kakomi.puzzles import turns_of
from kakomi.solve import Prover
from kakomi.solve.prover import DRAW, WIN

MOST_TURNS = 5_000
"""Games with more first turns than this don't have them listed."""

Turn = tuple[int, ...]
"""Action numbers."""
Key = tuple[bytes, bool]
"""Identifies a class: equal for equivalent turns only."""


@dataclass(frozen=True)
class TurnClass:
    """A class of equivalent turns."""

    key: Key
    turn: Turn
    """The canonical member of the class."""
    members: int
    """The number of distinct positions that they lead to."""


class TurnClasses:
    """The first turns of a game, and lines of several turns from its start, up to symmetry.

    If a game doesn't declare how symmetries map its actions (`Game.symmetries`), only turns that lead to the
    same position are equivalent.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symmetries = tuple(one for one in game.known_symmetries if _keeps_start(game, one))
        """The game's symmetries that leave its start unchanged."""

    def images(self, turn: Sequence[int]) -> list[Turn]:
        """The actions of one or several turns, mapped by each symmetry."""
        return [tuple(symmetry.actions[action] for action in turn) for symmetry in self.symmetries]

    def class_of(self, turn: Sequence[int]) -> TurnClass:
        """The class of a first turn, or of several successive turns. Raises IllegalAction."""
        images = self.images(turn)
        keys = [self.key_after(image) for image in images]
        return TurnClass(min(keys), min(images), len(set(keys)))

    def after(self, turn: Sequence[int]) -> Position:
        """The position after the given actions from the start. Raises IllegalAction."""
        position = self.game.start()
        for action in turn:
            position = position.play_action(action)
        return position

    def key_after(self, turn: Sequence[int]) -> Key:
        """A key that identifies the position after a turn."""
        after = self.after(turn)
        return after.key(), after.is_over

    @cached_property
    def all(self) -> tuple[TurnClass, ...] | None:
        """The classes of all first turns, sorted by turn; None if there are more than `MOST_TURNS`."""
        turns = turns_of(self.game.start(), MOST_TURNS)
        if turns is None:
            return None
        found: dict[Key, TurnClass] = {}
        for turn in turns:
            one = self.class_of([self.game.action(text) for text in turn.actions])
            known = found.setdefault(one.key, one)
            if one.turn < known.turn:
                found[one.key] = one
        return tuple(sorted(found.values(), key=lambda one: one.turn))

    def spelled(self, turn: Sequence[int]) -> str:
        """The text of a turn."""
        return " ".join(self.game.action_texts[action] for action in turn)


def _keeps_start(game: Game, symmetry: Symmetry) -> bool:
    """Whether a symmetry leaves the starting pieces in place."""
    held = game.start().state["stones"][: game.geometry.points]
    return bool((held[list(symmetry.points)] == held).all())


class OpeningMap(NamedTuple):
    """Where the first stones of first turns went. Equivalent turns share their frequency equally."""

    places: dict[str, float]
    """Point or cell → the fraction of all searches whose first stone went there."""
    elsewhere: float
    """The fraction of searches whose first turn touches no place, such as a pass."""

    @property
    def most(self) -> float:
        """The largest fraction, 0 if no place was touched."""
        return max(self.places.values(), default=0.0)


def opening_map(classes: TurnClasses, turns: Iterable[tuple[Turn, float]]) -> OpeningMap:
    """The map of first turns, each given with its fraction of all searches."""
    actions = classes.game.actions
    places: dict[str, float] = defaultdict(float)
    elsewhere = 0.0
    for turn, part in turns:
        first = next((action for action in turn if actions[action].target), None)
        if first is None:
            elsewhere += part
            continue
        for symmetry in classes.symmetries:
            target = actions[symmetry.actions[first]].target
            assert target
            places[target] += part / len(classes.symmetries)
    return OpeningMap(dict(places), elsewhere)


def shaded(found: OpeningMap, title: str, about: str, said: str) -> BoardMap:
    """The map for drawing. `said` is the label of each place, with `{place}` and `{percent}` in it."""
    return BoardMap(
        title,
        about,
        {place: (part / found.most, None) for place, part in found.places.items()},
        {
            place: said.format(place=place, percent=f"{100 * part:.1f}")
            for place, part in found.places.items()
        },
    )


MEMORY_MB = 512

Tell = Callable[[int, int, int], None]
"""Called with the number of classes done, their total, and the positions searched so far."""


def exact_margins(
    classes: TurnClasses, memory_mb: float = MEMORY_MB, tell: Tell = lambda done, of, positions: None
) -> dict[Key, int]:
    """The margin of every class of first turns under best play: the first player's final score less the
    second's.

    Raises ValueError if the game has more than two players or too many first turns, or can't be solved.
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
    """One solver for the whole game, so that results for one first turn speed up the others."""

    def __init__(self, game: Game, memory_mb: float, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._prover = Prover(game.start(), None, self._goes_on, memory_mb)
        self._prover.solver.run(self._prover.goes_on)

    def of(self, position: Position) -> int:
        """The margin after a first turn: at most that of the start.

        Finds the winner before the margin, because thresholds far from the value take longest.
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
