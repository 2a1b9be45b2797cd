"""Ren in words and marks: why an action is illegal, which stones are weak or in atari, and what scores."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import LazyMessage, lazy_join, lazy_message, lazy_plural
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.marks import COUNTED, MarkedPlaces, overlays_of, reason_for
from kakomi.draw import Overlay
from kakomi.games.ren.rules import (
    _ORTHOGONAL,
    NOWHERE,
    OUTSIDE,
    PADDING,
    WINDOW,
    in_four_box,
    is_legal,
    over,
    play,
)
from kakomi.kernel import as_records, driver
from kakomi.kernel.records import EMPTY

_BOXES = ((2, 2), (3, 2), (2, 3), (3, 3))
_Squares = set[tuple[int, int]]

REASONS = (
    _("{own} already has a stone there: play on an empty square or a weak enemy stone (RULES N1)"),
    _("this game has no replacements: its rui limit is 0 (RULES N6)"),
    _("the rui limit of {rui_limit} is reached: play on an empty square first (RULES N6)"),
    _("that stone isn't weak (rui): you can only replace stones next to one that has just scored (RULES N5)"),
)


@driver
def find_reason(boards: Any, states: Any, scratches: Any, action: Any, numbers: Any) -> Any:
    """Return why: the stone there is one's own, or may not be replaced now."""
    board, state = boards[0], states[0]
    if state.stones[action] == state.to_move:
        return 0
    if board.rui_limit == 0:
        return 1
    return 2 if state.replacements >= board.rui_limit else 3


why_illegal = partial(reason_for, find_reason=find_reason, reasons=REASONS)


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    weak = len(_rui(position))
    if weak == 0:
        return lazy_message("place a stone on an empty square, or pass")
    return lazy_plural(
        "place a stone on an empty square or on the weak stone, or pass",
        "place a stone on an empty square or on one of {count} weak stones, or pass",
        count=weak,
    )


def account(position: Position) -> str:
    """Return what the score consists of."""
    names = position.game.player_names
    parts: list[str] = [lazy_message("points: {scores}", scores=position.scores_in_words())]
    if position.state["nine_box"]:
        parts.append(
            lazy_message(
                "{winner} completed a box of nine, which wins the game and scores 10 points (RULES N4)",
                winner=lazy_message(names[1 - position.to_move]),
            )
        )
    elif _niban_completes_group(position):
        niban = position.game.geometry.names[position.state["niban"]]
        parts.append(
            lazy_message(
                "the niban on {niban} completes a group without the stone just placed: no points (RULES N9)",
                niban=niban,
            )
        )
    return lazy_join("; ", parts)


def guide(position: Position) -> Guidance:
    """Return advice to replace a weak stone, to capture a stone, or to complete groups."""
    if _rui(position):
        return Guidance(
            lazy_message("This turn only, you can replace a ringed stone with your own."),
            "N5",
        )
    board, state = as_records(position.game.board)[0], as_records(position.states())[0]
    enemies = [point for point in range(board.points) if state.stones[point] == 1 - position.to_move]
    if any(_is_in_atari(board, state, point) for point in enemies):
        return Guidance(
            lazy_message("An enemy stone is in atari: fill its last open side to capture it."), "N7"
        )
    return Guidance(
        lazy_message("Complete a row of 4 or 6, or a 2×2 or 2×3 box, to score."),
        "N2",
    )


def achievements(before: Position, action: int, after: Position) -> list[LazyMessage]:
    """Return the groups that a stone completes and scores, and the stones that it takes (RULES N2 to N7)."""
    stones, later, point = before.stones(), after.stones(), before.game.actions[action].point
    if point is None:
        return []
    runs, boxes = _groups(after, action)
    nine = int(any(len(box) == 9 for box in boxes))
    if nine:  # nothing else is scored (RULES N4)
        runs, boxes = [], []
    six = [box for box in boxes if len(box) == 6]
    four = [box for box in boxes if len(box) == 4 and not any(box < other for other in six)]
    lengths = [len(run) for run in runs]
    captured = sum(later.get(name) != owner for name, owner in stones.items() if name != point)
    return [
        lazy_plural("{count} box of nine", "{count} boxes of nine", count=nine),
        lazy_plural("{count} row of four", "{count} rows of four", count=lengths.count(4)),
        lazy_plural("{count} row of six", "{count} rows of six", count=lengths.count(6)),
        lazy_plural("{count} box of four", "{count} boxes of four", count=len(four)),
        lazy_plural("{count} box of six", "{count} boxes of six", count=len(six)),
        lazy_plural("{count} stone captured", "{count} stones captured", count=captured),
        lazy_plural("{count} stone replaced", "{count} stones replaced", count=int(point in stones)),
    ]


MARKED = (
    MarkedPlaces("rui", _("Weak (rui): can be replaced now"), "ring", _("weak"), for_newcomers=True),
    MarkedPlaces("atari", _("In atari: one more stone captures it"), "dot", _("in atari")),
    MarkedPlaces(_("scoring"), _("Points that a stone would score"), "text", _("win")),
    MarkedPlaces(
        "groups",
        _("Groups: rows and boxes of a scoring size"),
        "square",
        _("in a group"),
        is_lasting=True,
    ),
)


@driver
def mark_places(boards: Any, states: Any, successors: Any, scratches: Any, marks: Any) -> None:
    """Mark stones that may be replaced; single stones with enemy stones or the edge on three sides and the
    fourth empty; what each placement would score for the player to act; and the stones in groups that are on
    the board now, whether or not they scored (RULES N2 to N9)."""
    board, state = boards[0], states[0]
    is_over = over(board, state)
    mover = int(state.to_move)
    for point in range(board.points):
        player = int(state.stones[point])
        for overlay in range(4):
            marks[overlay, point] = 0
        if player != EMPTY:
            marks[1, point] = player + 1 if _is_in_atari(board, state, point) else 0
            marks[3, point] = player + 1 if _is_in_group(board, state, point, player) else 0
        if not is_over and is_legal(board, state, scratches[0], point):
            successors[0] = states[0]
            play(board, successors[0], scratches[0], point)
            scored = int(successors[0].points[mover]) - int(state.points[mover])
            if successors[0].nine_box:
                marks[2, point] = mover + 1
            elif scored > 0:
                marks[2, point] = mover + 1 + COUNTED * scored
    if not is_over:
        for k in range(state.rui_count):
            marks[0, state.rui[k]] = state.stones[state.rui[k]] + 1


def _is_in_atari(board: Any, state: Any, point: Any) -> Any:
    """Whether one more stone captures the stone on a point."""
    own = int(state.stones[point])
    return _count_beside(board, state, point, EMPTY) == 1 and _count_beside(board, state, point, own) == 0


def _count_beside(board: Any, state: Any, point: Any, content: Any) -> Any:
    """Count the squares beside a point that are empty, or hold a player's stone."""
    around, stones, count = board.around[point], state.stones, 0
    for k in _ORTHOGONAL:
        if around[k] != OUTSIDE and stones[around[k]] == content:
            count += 1
    return count


def _is_in_group(board: Any, state: Any, point: Any, player: Any) -> Any:
    """Whether a stone is in a run or a box that scores: larger boxes consist of boxes of four."""
    row = int(board.row_of[point])
    column = int(board.column_of[point])
    along = (state.ren_rows[player, row + PADDING] >> column) & WINDOW
    across = (state.ren_columns[player, column] >> row) & WINDOW
    is_in_run = board.run_points[along] > 0 or board.run_points[across] > 0
    return is_in_run or in_four_box(state, row, column, player)


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of `mark_places`."""
    return overlays_of(position, mark_places, MARKED)


def _rui(position: Position) -> list[str]:
    if position.is_over:
        return []
    names = position.game.geometry.names
    return [names[point] for point in position.state["rui"].tolist() if point != NOWHERE]


def _squares(position: Position, player: int) -> _Squares:
    size, stones = position.game.geometry.size, position.state["stones"].tolist()
    return {divmod(point, size) for point, stone in enumerate(stones) if stone == player}


def _niban_completes_group(position: Position) -> bool:
    """Whether the last action's niban is in a row or box that would score but for RULES N9."""
    niban = int(position.state["niban"])
    if niban == NOWHERE:
        return False
    placed = divmod(position.previous_turn[-1], position.game.geometry.size)
    return any(placed not in group for groups in _groups(position, niban) for group in groups)


def _groups(position: Position, point: int) -> tuple[list[_Squares], list[_Squares]]:
    """Return the runs of scoring length and the full boxes of the stone on a square."""
    own, at = (
        _squares(position, int(position.state["stones"][point])),
        divmod(point, position.game.geometry.size),
    )
    return list(_runs(own, *at)), list(_boxes(own, *at))


def _runs(own: _Squares, row: int, column: int) -> Iterator[_Squares]:
    """Yield the runs of scoring length through a square."""
    for up, right in ((0, 1), (1, 0)):
        run = {(row, column)}
        for step in (-1, 1):
            at = (row + step * up, column + step * right)
            while at in own:
                run.add(at)
                at = (at[0] + step * up, at[1] + step * right)
        if len(run) in (4, 6):
            yield run


def _boxes(own: _Squares, row: int, column: int) -> Iterator[_Squares]:
    """Yield the full boxes that contain a square."""
    for height, width in _BOXES:
        for bottom in range(row - height + 1, row + 1):
            for left in range(column - width + 1, column + 1):
                box = {(r, c) for r in range(bottom, bottom + height) for c in range(left, left + width)}
                if box <= own:
                    yield box
