"""Rings in words and marks: why an action is illegal, who has which circles, and each player's influence."""

from functools import partial
from typing import Any

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import LazyMessage, lazy_message, lazy_plural
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.marks import COUNTED, NEEDED, MarkedPlaces, overlays_of, reason_for
from kakomi.draw import Overlay
from kakomi.games.rings.rules import FULL, MAX_PLAYERS, opposing, over
from kakomi.kernel import driver

REASONS = (
    _("there is already a stone on that point (RULES G5)"),
    _("first place a stone on an empty point, or pass (RULES G5)"),
    _("you have already placed a stone or passed: convert a circle or end the turn (RULES G5)"),
    _("{own} has an influence of {count} on {place}; a majority needs {needed} (RULES G4)"),
    _("there are no opposing stones to convert in {place} (RULES G5)"),
    _("the opposing stones in {place} are all safe in rings (RULES G3)"),
)


@driver
def find_reason(boards: Any, states: Any, scratches: Any, action: Any, numbers: Any) -> Any:
    """Return why: the wrong part of the turn, an occupied point, no majority, or nothing to convert."""
    board, state = boards[0], states[0]
    if not state.converting:
        return 0 if action < board.points else 1
    circle = action - board.points - 2
    if circle < 0:
        return 2
    player = int(state.to_move)
    numbers[0] = state.influence[player, circle]
    numbers[1] = state.shares[circle] // 2 + 1
    if numbers[0] < numbers[1]:
        return 3
    return 4 if state.occupied[circle] == state.own[player, circle] else 5


why_illegal = partial(reason_for, find_reason=find_reason, reasons=REASONS)


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    if not position.state["converting"]:
        return lazy_message("place a stone on an empty point, or pass")
    count = int(position.state["convertible_count"][position.to_move])
    return lazy_plural(
        "convert the one circle you can, or end the turn",
        "convert one of {count} circles, or end the turn",
        count=count,
    )


def account(position: Position) -> str:
    """Return what the score consists of."""
    left = len(position.game.geometry.cells) - sum(position.scores())
    return lazy_message(
        "circles with a majority: {scores}; without one: {left}", scores=position.scores_in_words(), left=left
    )


def guide(position: Position) -> Guidance:
    """Return advice to convert a circle, or to build a majority."""
    if position.state["converting"]:
        return Guidance(
            lazy_message("Convert a marked circle to flip the dotted stones. Then end your turn."), "G5"
        )
    if position.state["convertible_count"][position.to_move]:
        return Guidance(lazy_message("Place a stone anywhere; then you can convert a marked circle."), "G5")
    return Guidance(
        lazy_message("Get four of a circle's six points: then it counts for you."),
        "G4",
    )


def achievements(before: Position, action: int, after: Position) -> list[LazyMessage]:
    """Return the rings that an action closes, and the stones that it flips (RULES G3, G5)."""
    del action
    own, stones = before.to_move, before.stones()
    closed = (after.state["own"][own] == FULL) & (before.state["own"][own] != FULL)
    flipped = sum(stones.get(name, player) != player for name, player in after.stones().items())
    return [
        lazy_plural("{count} ring closed", "{count} rings closed", count=int(closed.sum())),
        lazy_plural("{count} stone flipped", "{count} stones flipped", count=flipped),
    ]


MARKED = (
    MarkedPlaces(
        "conversions",
        _("Conversions: circles that can be converted, and stones that would flip"),
        "dot",
        _("would flip"),
        "square",
        _("can be converted"),
        for_newcomers=True,
    ),
    MarkedPlaces("rings", _("Rings: their stones are safe for good"), cell_kind="ring", cell_text=_("ring")),
    MarkedPlaces(
        "majority",
        _("Majority: circles that count"),
        cell_kind="area",
        cell_text=_("majority"),
        for_newcomers=True,
    ),
    MarkedPlaces(
        _("influence"), _("Influence of the player to move, and how much is needed"), cell_kind="text"
    ),
    *(MarkedPlaces(_("influences"), _("Influence of every player"), cell_kind="text"),) * MAX_PLAYERS,
)


@driver
def mark_places(boards: Any, states: Any, successors: Any, scratches: Any, marks: Any) -> None:
    """Mark conversions, rings, majorities and influence (RULES G3 to G5)."""
    board, state = boards[0], states[0]
    mover, own, influences = int(state.to_move), state.own, state.influence
    for place in range(board.points + board.circles):
        for overlay in range(4 + MAX_PLAYERS):
            marks[overlay, place] = 0
    for circle in range(board.circles):
        for player in range(board.players):
            if own[player, circle] == FULL:
                marks[1, board.points + circle] = player + 1
            influence = COUNTED * int(influences[player, circle])
            if influence > 0:
                marks[4 + player, board.points + circle] = player + 1 + influence
                if player == mover:
                    needed = NEEDED * (int(state.shares[circle]) // 2 + 1)
                    marks[3, board.points + circle] = player + 1 + influence + needed
        marks[2, board.points + circle] = state.majority[circle] + 1  # 0 for nobody
    if over(board, state):
        return
    for i in range(state.convertible_count[mover]):
        circle = state.convertible[mover, i]
        marks[0, board.points + circle] = mover + 1
        flipping = opposing(state, circle, mover)
        for bit in range(6):
            if flipping >> bit & 1:
                marks[0, board.points_of[circle, bit]] = mover + 1


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of `mark_places`."""
    return overlays_of(position, mark_places, MARKED)
