"""What each action would do, found by comparing the position with the one after it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakomi.kernel.records import EMPTY

if TYPE_CHECKING:
    from kakomi.core.position import Position


@dataclass(frozen=True)
class Effect:
    """What one action changes."""

    changes: Mapping[str, int | None]
    """Every point that changes -> whose stone stands there afterwards; None: it is empty."""
    gains: tuple[float, ...]
    """By how much each player's score grows; all 0 where it is what most actions do."""
    appearing: int = 0
    """How many stones come to empty points, beside the one that is put."""
    turned: int = 0
    """How many stones get another owner."""
    removed: int = 0
    """How many stones leave the board."""
    expected: str = ""
    """What the same player does next, where that is another kind of action; else nothing."""
    is_last: bool = False
    """Whether the game is over then."""

    @property
    def is_plain(self) -> bool:
        """Whether it puts one stone, and nothing else is worth a word."""
        told = self.appearing or self.turned or self.removed or any(self.gains) or self.expected
        return len(self.changes) == 1 and not (told or self.is_last)


def effects_of(position: "Position") -> dict[str, Effect]:
    """The effect of every legal action, by its text. It takes some 20 µs for each action."""
    texts = position.game.action_texts
    found = {texts[action]: _effect(position, action) for action in position.legal_actions()}
    gains = Counter(effect.gains for effect in found.values())
    usual, times = gains.most_common(1)[0] if gains else ((), 0)
    nothing = (0.0,) * position.game.players
    return {
        text: replace(effect, gains=nothing)
        if effect.gains == usual and (times > 1 or len(found) == 1)
        else effect
        for text, effect in found.items()
    }


def effect_of_turn(position: "Position", actions: Sequence[int]) -> Effect:
    """What actions in succession change together. Raises KeyError for one that is forbidden."""
    found = []
    for action in actions:
        found.append(effects_of(position)[position.game.action_texts[action]])
        position = position.play_action(action)
    return Effect(
        {point: owner for effect in found for point, owner in effect.changes.items()},
        tuple(sum(gains) for gains in zip(*(effect.gains for effect in found), strict=True)),
        sum(effect.appearing for effect in found),
        sum(effect.turned for effect in found),
        sum(effect.removed for effect in found),
        is_last=position.is_over,
    )


def _effect(position: "Position", action: int) -> Effect:
    game, after = position.game, position.play_action(action)
    points, names = game.geometry.points, game.geometry.names
    before_stones, after_stones = (one.state["stones"][:points] for one in (position, after))
    changed = np.flatnonzero(before_stones != after_stones).tolist()
    was = {point: _owner(before_stones[point], game.players) for point in changed}
    now = {point: _owner(after_stones[point], game.players) for point in changed}
    target = game.actions[action].point
    return Effect(
        {names[point]: now[point] for point in changed},
        tuple(float(new) - float(old) for old, new in zip(position.scores(), after.scores(), strict=True)),
        sum(was[point] is None and names[point] != target for point in changed),
        sum(was[point] is not None and now[point] is not None for point in changed),
        sum(now[point] is None for point in changed),
        _expected(position, action, after),
        after.is_over,
    )


def _owner(stone: np.integer[Any], players: int) -> int | None:
    return None if stone == EMPTY else int(stone) % players


def _expected(position: "Position", action: int, after: "Position") -> str:
    """What comes next in the same turn, if it is of another kind than the action."""
    if after.is_between_turns:
        return ""
    actions = position.game.actions
    if actions[after.legal_actions()[0]].kind == actions[action].kind:
        return ""
    expects: str = position.game.description.explain.expects(after)
    return expects
