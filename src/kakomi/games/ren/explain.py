"""Ren in words and marks: why an action is forbidden, what is weak, in atari or about to score."""

from collections.abc import Iterator

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_join, lazy_message, lazy_plural
from kakomi.draw import Mark, Overlay
from kakomi.games.ren.rules import NOWHERE

_BOXES = ((2, 2), (3, 2), (2, 3), (3, 3))


def why_illegal(position: Position, action: int) -> str:
    """A stone stands there: one's own, or one that may not be replaced now."""
    to_move = position.to_move
    if position.state["stones"][action] == to_move:
        return lazy_message(
            "{name}'s own stone is there; only empty squares and weak enemy stones can be taken (RULES N1)",
            name=lazy_message(position.game.player_names[to_move]),
        )
    limit = position.game.options["rui_limit"]
    if limit == 0:
        return lazy_message("no stones are replaced in this game: its rui limit is 0 (RULES N6)")
    if position.state["replacements"] >= limit:
        return lazy_message(
            "the rui limit of {limit} is reached: first a stone has to go on an empty square (RULES N6)",
            limit=limit,
        )
    return lazy_message(
        "that stone isn't weak (rui): only an opponent's stones beside the one "
        "that has just scored may be replaced (RULES N5)"
    )


def expects(position: Position) -> str:
    """What the player to act does next."""
    weak = len(_rui(position))
    if weak == 0:
        return lazy_message("a stone on an empty square, or a pass")
    return lazy_plural(
        "a stone on an empty square or on the weak stone, or a pass",
        "a stone on an empty square or on one of {count} weak stones, or a pass",
        count=weak,
    )


def account(position: Position) -> str:
    """What the score is made of."""
    names = position.game.player_names
    black, white = position.scores()
    parts = [lazy_message("Black has scored {black}, White {white}", black=black, white=white)]
    if position.state["nine_box"]:
        parts.append(
            lazy_message(
                "{winner}'s box of nine ended the game: 10 points, after a swap if behind (RULES N4)",
                winner=lazy_message(names[1 - position.to_move]),
            )
        )
    elif _niban_completes_group(position):
        niban = position.game.geometry.names[position.state["niban"]]
        parts.append(
            lazy_message(
                "the niban {niban} completes a group without the stone just put: no points (RULES N9)",
                niban=niban,
            )
        )
    return lazy_join("; ", parts)


def guide(position: Position) -> Guidance:
    """Weak stones to take over, a stone to capture, or groups to complete."""
    if _rui(position):
        return Guidance(
            lazy_message("Now only, you may put your stone in the place of a ringed one."),
            "N5",
        )
    if any(position.stones()[name] != position.to_move for name in _in_atari(position)):
        return Guidance(
            lazy_message("An enemy stone has one open side: fill it, and the stone is captured."), "N7"
        )
    return Guidance(
        lazy_message("Complete a row of 4 or 6, or a box of 2×2 or 2×3: it scores at once."),
        "N2",
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Stones that may be replaced, stones in atari, and what each placement would score."""
    stones = position.stones()
    weak = [Mark("ring", name, stones[name], _("weak")) for name in _rui(position)]
    atari = [Mark("dot", name, stones[name], _("in atari")) for name in _in_atari(position)]
    return (
        Overlay("rui", _("Weak (rui): may be replaced now"), tuple(weak), for_newcomers=True),
        Overlay("atari", _("In atari: one more stone beside it captures it"), tuple(atari)),
        Overlay(_("scoring"), _("Points that a stone would score"), tuple(_scoring(position))),
    )


def _rui(position: Position) -> list[str]:
    if position.is_over:
        return []
    names = position.game.geometry.names
    return [names[point] for point in position.state["rui"].tolist() if point != NOWHERE]


def _in_atari(position: Position) -> list[str]:
    """Single stones with three sides enemy stones or edge, and the fourth empty (RULES N8)."""
    geometry, stones = position.game.geometry, position.stones()
    found = []
    for name, player in stones.items():
        sides = [stones.get(geometry.names[near]) for near in geometry.neighbours[geometry.index[name]]]
        if sides.count(None) == 1 and player not in sides:
            found.append(name)
    return found


def _scoring(position: Position) -> Iterator[Mark]:
    """What every placement would add, for the player to act."""
    mover = position.to_move
    before = int(position.state["points"][mover])
    for action in position.legal_actions():
        name = position.game.actions[action].point
        after = position.play_action(action)
        if after.state["nine_box"]:
            yield Mark("text", str(name), mover, _("win"))
        elif (scored := int(after.state["points"][mover]) - before) > 0:
            yield Mark("text", str(name), mover, str(scored))


def _niban_completes_group(position: Position) -> bool:
    """Whether the last action's niban is in a row or box that would score, but for RULES N9."""
    niban = int(position.state["niban"])
    if niban == NOWHERE:
        return False
    size = position.game.geometry.size
    stones = position.state["stones"].tolist()
    own = {divmod(point, size) for point, stone in enumerate(stones) if stone == stones[niban]}
    row, column = divmod(niban, size)
    groups = [*_runs(own, row, column), *_boxes(own, row, column)]
    placed = divmod(position.previous_turn[-1], size)
    return any(placed not in group for group in groups)


_Squares = set[tuple[int, int]]


def _runs(own: _Squares, row: int, column: int) -> Iterator[_Squares]:
    """The runs of scoring length through a square."""
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
    """The full boxes round a square."""
    for height, width in _BOXES:
        for bottom in range(row - height + 1, row + 1):
            for left in range(column - width + 1, column + 1):
                box = {(r, c) for r in range(bottom, bottom + height) for c in range(left, left + width)}
                if box <= own:
                    yield box
