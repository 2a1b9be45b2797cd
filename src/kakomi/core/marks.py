"""What drivers of a game say about a position, wherever they are compiled: marks, and why an action is
illegal."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.core.position import Position
from kakomi.draw import Mark, MarkKind, Overlay
from kakomi.kernel import Driver, Mode, use_mode

NOBODYS = 7
"""The number of a mark that is no player's. A player's is 1 more than the player, and 0 is no mark."""
COUNTED, NEEDED = 1 << 3, 1 << 15
"""A mark of the kind "text" adds these to its number, times the count that it shows (below 4096) and, to show
`count/needed`, times how many are needed."""
NUMBERS = 2
"""The numbers that a reason may use: `count` and `needed`."""


@dataclass(frozen=True)
class MarkedPlaces:
    """An overlay with one kind of mark on points, and one on cells. Those of one name make one overlay."""

    name: str
    title: str
    kind: MarkKind = "dot"
    text: str = ""
    """What a mark on a point means, in words; of the kind "text", what it says instead of a count of 0."""
    cell_kind: MarkKind = "ring"
    cell_text: str = ""
    for_newcomers: bool = False
    is_lasting: bool = False
    """Whether it is always on once the game is over."""


def overlays_of(
    position: Position, mark_places: Driver, marked: Sequence[MarkedPlaces]
) -> tuple[Overlay, ...]:
    """Return the overlays that `mark_places(boards, states, successors, scratches, marks)` marks.

    `marks`, int32 [overlays, places], has the numbers of the marks on the points and then on the cells;
    `successors` is room to try an action. The driver is interpreted: it runs once for a position, which
    isn't worth compiling.
    """
    game, states = position.game, position.states()
    marks = blank_marks(len(game.geometry.names) + len(game.geometry.cells), marked)
    with use_mode(Mode.INTERPRETED):
        mark_places(game.board, states, states.copy(), game.scratch, marks)
    found: dict[str, Overlay] = {}
    for one, numbers in zip(marked, marks, strict=True):
        together = found[one.name].marks if one.name in found else ()
        found[one.name] = Overlay(
            one.name,
            one.title,
            (*together, *_marks(position, one, numbers)),
            for_newcomers=one.for_newcomers,
            is_lasting=one.is_lasting and position.is_over,
        )
    return tuple(found.values())


def blank_marks(places: int, marked: Sequence[MarkedPlaces]) -> np.ndarray:
    """Return the array for a driver to write into."""
    return np.zeros((len(marked), places), np.int32)


def _marks(position: Position, overlay: MarkedPlaces, numbers: np.ndarray) -> list[Mark]:
    """The marks in words come player by player, cells first."""
    geometry, found = position.game.geometry, []
    places = [(int(numbers[place]), place) for place in np.flatnonzero(numbers).tolist()]
    for number, place in sorted(places, key=lambda each: (each[1] < geometry.points, each[0])):
        player = None if number % COUNTED == NOBODYS else number % COUNTED - 1
        is_point = place < geometry.points
        at = geometry.names[place] if is_point else geometry.cells[place - geometry.points].name
        kind, text = (overlay.kind, overlay.text) if is_point else (overlay.cell_kind, overlay.cell_text)
        found.append(Mark(kind, at, player, _written(number, text) if kind == "text" else text))
    return found


def _written(number: int, text: str) -> str:
    count, needed = number % NEEDED // COUNTED, number // NEEDED
    return text if text and not count else f"{count}/{needed}" if needed else str(count)


def reason_for(position: Position, action: int, find_reason: Driver, reasons: Sequence[str]) -> LazyMessage:
    """Return why an action is illegal: the one of `reasons` whose index `find_reason(boards, states,
    scratches, action, numbers)` returns.

    Fields of a reason are the driver's `numbers`, as `count` and `needed`; `own` and `enemy`, names of
    players; `place`; and the options of the game.
    """
    game, numbers = position.game, np.zeros(NUMBERS, np.int64)
    with use_mode(Mode.INTERPRETED):
        found = find_reason(game.board, position.states(), game.scratch, action, numbers)
    names = [lazy_message(game.player_names[(position.to_move + turn) % game.players]) for turn in (0, 1)]
    values = {**game.options, "count": int(numbers[0]), "needed": int(numbers[1])}
    place = game.actions[action].target
    return lazy_message(reasons[found], own=names[0], enemy=names[1], place=place, **values)
