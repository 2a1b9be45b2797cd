"""Rive in words and marks: where a stone may go and why, and what a capture may remove."""

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.core.position import stones_in_words as account
from kakomi.draw import Mark, Overlay

__all__ = ["account", "expects", "guide", "overlays", "why_illegal"]


def why_illegal(position: Position, action: int) -> str:
    """A placement where a removal is due, or the other way round, or what RULES V3 to V5 forbid."""
    name = str(position.game.actions[action].point)
    if action < position.game.geometry.points:
        return _why_no_placement(position, name)
    return _why_no_removal(position, name)


def expects(position: Position) -> str:
    """What the player to act does next."""
    excess = int(position.state["excess"])
    if excess:
        return lazy_plural(
            "the removal of one stone from the group that was joined",
            "the removal of {count} stones, one by one, from the group that was joined",
            count=excess,
        )
    cells = len(position.legal_actions())
    if position.turn:
        return lazy_plural(
            "another stone, for the capture, on the only open cell",
            "another stone, for the capture, on one of the {count} open cells",
            count=cells,
        )
    return lazy_plural(
        "a stone on the only open cell", "a stone on one of the {count} open cells", count=cells
    )


def guide(position: Position) -> Guidance:
    """What a capture takes off, the next stone of one, or how large a group may be that a stone touches."""
    if position.state["excess"]:
        return Guidance(lazy_message("Take off enemy stones first: the crosses show which may go."), "V4")
    if position.turn:
        return Guidance(lazy_message("You captured, so you place once more."), "V6")
    lowest = int(position.state["lowest"])
    if not lowest:
        return Guidance(
            lazy_message("Play on a dotted cell: one with no stone beside it, while there are any."), "V3"
        )
    return Guidance(
        lazy_plural(
            "Play on a dotted cell, beside single stones at most. Joining two groups captures.",
            "Play on a dotted cell, beside groups of at most {count}. Joining two captures.",
            count=lowest,
        ),
        "V3",
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Sizes of groups, what the size beside each empty cell is, and what a capture may remove."""
    stones, sizes = position.stones(), _group_sizes(position)
    names = position.game.geometry.names
    grouped = [Mark("text", name, stones[name], str(sizes[name])) for name in names if name in stones]
    empty = [name for name in names if name not in stones]
    beside = [Mark("text", name, None, str(_largest_beside(position, sizes, name))) for name in empty]
    return (
        Overlay(_("groups"), _("Size of each stone's group"), tuple(grouped)),
        Overlay(_("beside"), _("Size of the largest group beside each empty cell"), tuple(beside)),
        Overlay(
            "capture", _("Stones that may be removed now"), tuple(_removals(position)), for_newcomers=True
        ),
    )


def _why_no_placement(position: Position, name: str) -> str:
    excess = position.state["excess"]
    if excess:
        return lazy_plural(
            "first the joined group has to lose 1 stone more (RULES V4)",
            "first the joined group has to lose {count} stones more (RULES V4)",
            count=int(excess),
        )
    if name in position.stones():
        return lazy_message("there is a stone on that cell already, and stones go on empty cells (RULES V3)")
    largest = _largest_beside(position, _group_sizes(position), name)
    smallest = int(position.state["lowest"])
    if not smallest:
        return lazy_plural(
            "its largest neighbouring group has 1 stone, and there are cells beside no stone (RULES V3)",
            "its largest neighbouring group has {count} stones, "
            "and there are cells beside no stone (RULES V3)",
            count=largest,
        )
    return lazy_message(
        "its largest neighbouring group has {largest} stones, "
        "and there are cells beside none larger than {smallest} (RULES V3)",
        largest=largest,
        smallest=smallest,
    )


def _why_no_removal(position: Position, name: str) -> str:
    if not position.state["excess"]:
        return lazy_message(
            "there is nothing to remove: stones go after a placement that joins groups (RULES V4)"
        )
    if name not in position.stones():
        return lazy_message("there is no stone on that cell")
    if name not in _group_of(position, position.game.geometry.names[position.state["shrinking"]]):
        return lazy_message("that stone is in another group than the one that was joined (RULES V4)")
    if name == _just_placed(position):
        return lazy_message("the stone just placed holds together what it joined (RULES V5)")
    return lazy_message("without that stone the group would fall into pieces (RULES V5)")


def _just_placed(position: Position) -> str | None:
    actions = position.game.actions
    placed = [actions[action].point for action in position.turn if actions[action].kind == "place"]
    return placed[-1] if placed else None


def _removals(position: Position) -> list[Mark]:
    if not position.state["excess"]:
        return []
    stones, actions = position.stones(), position.game.actions
    removable = [str(actions[action].point) for action in position.legal_actions()]
    return [Mark("cross", name, stones[name], _("may be removed")) for name in removable]


def _group_sizes(position: Position) -> dict[str, int]:
    """The size of the group of every stone (RULES V2)."""
    sizes: dict[str, int] = {}
    for name in position.stones():
        if name not in sizes:
            group = _group_of(position, name)
            sizes |= dict.fromkeys(group, len(group))
    return sizes


def _group_of(position: Position, name: str) -> list[str]:
    geometry = position.game.geometry
    stones = {geometry.index[stone] for stone in position.stones()}
    return [geometry.names[point] for point in sorted(geometry.reached([geometry.index[name]], stones))]


def _largest_beside(position: Position, sizes: dict[str, int], name: str) -> int:
    geometry = position.game.geometry
    return max(sizes.get(geometry.names[beside], 0) for beside in geometry.neighbours[geometry.index[name]])
