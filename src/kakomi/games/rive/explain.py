"""Rive in words and marks: where a stone may go and why, and what a capture may remove."""

from kakomi.core import Position
from kakomi.draw import Mark, Overlay


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
        stones = "one stone" if excess == 1 else f"{excess} stones, one by one,"
        return f"the removal of {stones} from the group that was joined"
    cells = len(position.legal_actions())
    another = "another stone, for the capture," if position.turn else "a stone"
    return f"{another} on {'the one cell' if cells == 1 else f'one of the {cells} cells'} open to it"


def account(position: Position) -> str:
    """What the score is made of."""
    (black_name, white_name), (black, white) = position.game.player_names, position.scores()
    return f"{black_name} has {black} stones on the board, {white_name} {white}"


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Sizes of groups, what the size beside each empty cell is, and what a capture may remove."""
    stones, sizes = position.stones(), _group_sizes(position)
    grouped = [Mark("text", name, stones[name], str(size)) for name, size in sizes.items()]
    empty = [name for name in position.game.geometry.names if name not in stones]
    beside = [Mark("text", name, None, str(_largest_beside(position, sizes, name))) for name in empty]
    return (
        Overlay("groups", "Size of each stone's group", tuple(grouped)),
        Overlay("beside", "Size of the largest group beside each empty cell", tuple(beside)),
        Overlay("capture", "Stones that may be removed now", tuple(_removals(position))),
    )


def _why_no_placement(position: Position, name: str) -> str:
    excess = position.state["excess"]
    if excess:
        return f"first the joined group has to lose {_stones(int(excess))} more (RULES V4)"
    if name in position.stones():
        return "there is a stone on that cell already, and stones go on empty cells (RULES V3)"
    sizes = _group_sizes(position)
    largest = _largest_beside(position, sizes, name)
    smallest = int(position.state["lowest"])
    others = f"beside none larger than {smallest}" if smallest else "beside no stone"
    return f"its largest neighbouring group has {_stones(largest)}, and there are cells {others} (RULES V3)"


def _why_no_removal(position: Position, name: str) -> str:
    if not position.state["excess"]:
        return "there is nothing to remove: stones go after a placement that joins groups (RULES V4)"
    if name not in position.stones():
        return "there is no stone on that cell"
    if name not in _group_of(position, int(position.state["shrinking"])):
        return "that stone is in another group than the one that was joined (RULES V4)"
    if name == _just_placed(position):
        return "the stone just placed holds together what it joined (RULES V5)"
    return "without that stone the group would fall into pieces (RULES V5)"


def _stones(number: int) -> str:
    return "1 stone" if number == 1 else f"{number} stones"


def _just_placed(position: Position) -> str | None:
    actions = position.game.actions
    placed = [actions[action].point for action in position.turn if actions[action].kind == "place"]
    return placed[-1] if placed else None


def _removals(position: Position) -> list[Mark]:
    if not position.state["excess"]:
        return []
    stones, actions = position.stones(), position.game.actions
    removable = [str(actions[action].point) for action in position.legal_actions()]
    return [Mark("cross", name, stones[name], "may be removed") for name in removable]


def _group_sizes(position: Position) -> dict[str, int]:
    """The size of the group of every stone (RULES V2)."""
    sizes: dict[str, int] = {}
    for point, name in enumerate(position.game.geometry.names):
        if name in position.stones() and name not in sizes:
            group = _group_of(position, point)
            sizes |= dict.fromkeys(group, len(group))
    return sizes


def _group_of(position: Position, point: int) -> set[str]:
    geometry, stones = position.game.geometry, position.stones()
    group = {geometry.names[point]}
    waiting = [point]
    while waiting:
        for beside in geometry.neighbours[waiting.pop()]:
            if geometry.names[beside] in stones and geometry.names[beside] not in group:
                group.add(geometry.names[beside])
                waiting.append(beside)
    return group


def _largest_beside(position: Position, sizes: dict[str, int], name: str) -> int:
    geometry = position.game.geometry
    return max(sizes.get(geometry.names[beside], 0) for beside in geometry.neighbours[geometry.index[name]])
