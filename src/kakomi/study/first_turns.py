"""First turns of a game: which are alike, where their stones go, and what they are worth under best play.

Those are alike that lead to the same position, but for a symmetry of the board.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry
from kakomi.solve import Prover
from kakomi.solve.prover import DRAW, WIN
from kakomi.study.puzzles.puzzle import turns_of
from kakomi.study.report.content import BoardMap
from kakomi.study.report.statistics.shared import known_symmetries

MOST_TURNS = 5_000
"""Of a game with more first turns nobody lists them all."""

Turn = tuple[int, ...]
"""Numbers of actions."""
Key = tuple[bytes, bool]
"""The same for turns that are alike, and for no others."""


@dataclass(frozen=True)
class TurnClass:
    """Turns that are alike."""

    key: Key
    turn: Turn
    """One of them, the same whichever was played."""
    members: int
    """How many positions they lead to."""


class TurnClasses:
    """The first turns of a game, and lines of several turns from its start, up to symmetry.

    Where a game doesn't say what becomes of its actions (`Game.symmetries`) turns are alike that lead to the
    same position.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symmetries = tuple(one for one in known_symmetries(game) if _keeps_start(game, one))
        """Those of the game that keep its start as it is."""

    def images(self, turn: Sequence[int]) -> list[Turn]:
        """What each symmetry makes of the actions of a turn, or of several."""
        return [tuple(symmetry.actions[action] for action in turn) for symmetry in self.symmetries]

    def class_of(self, turn: Sequence[int]) -> TurnClass:
        """The class of a turn from the start, or of several in succession. Raises IllegalAction."""
        images = self.images(turn)
        keys = [self.key_after(image) for image in images]
        return TurnClass(min(keys), min(images), len(set(keys)))

    def after(self, turn: Sequence[int]) -> Position:
        """The position that actions lead to from the start. Raises IllegalAction."""
        position = self.game.start()
        for action in turn:
            position = position.play_action(action)
        return position

    def key_after(self, turn: Sequence[int]) -> Key:
        """What tells the position after a turn from all others."""
        after = self.after(turn)
        return after.key(), after.is_over

    @cached_property
    def all(self) -> tuple[TurnClass, ...] | None:
        """The classes of all first turns, in the order of their turns; None if there are too many turns."""
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
    """Whether the pieces that a game begins with are where a symmetry puts them."""
    held = game.start().state["stones"][: game.geometry.points]
    return bool((held[list(symmetry.points)] == held).all())


class OpeningMap(NamedTuple):
    """Where the first stones of first turns went; turns that are alike share what came to them."""

    places: dict[str, float]
    """The part of all searches in which the first stone went to each point or cell."""
    elsewhere: float
    """The part of searches whose first turn touches no place, such as a pass."""

    @property
    def most(self) -> float:
        """The largest part, 0 if no place was touched."""
        return max(self.places.values(), default=0.0)


def opening_map(classes: TurnClasses, turns: Iterable[tuple[Turn, float]]) -> OpeningMap:
    """The map of first turns, each with the part of all searches that it stands for."""
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
    """The map for a drawing; `said` of each place has `{place}` and `{percent}` in it."""
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
