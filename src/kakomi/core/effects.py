"""The effects of actions, found by comparing the positions before and after them, and why a game was won."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kakomi.core.i18n import LazyMessage, lazy_join, lazy_message
from kakomi.core.position import Position
from kakomi.kernel.records import EMPTY


@dataclass(frozen=True)
class Effect:
    """What one action changes."""

    changes: Mapping[str, int | None]
    """Every point that changes -> the owner of its stone afterwards; None: it is empty."""
    gains: tuple[float, ...]
    """The increase of each player's score; all 0 if it is the same as for most actions."""
    appearing: int = 0
    """The number of stones that appear on empty points, without the one placed."""
    turned: int = 0
    """The number of stones that change owners."""
    removed: int = 0
    """The number of stones that leave the board."""
    expected: str = ""
    """What the same player does next, if that is another kind of action; else empty."""
    is_last: bool = False
    """Whether the game is over then."""

    @property
    def is_plain(self) -> bool:
        """Whether it only places one stone."""
        told = self.appearing or self.turned or self.removed or any(self.gains) or self.expected
        return len(self.changes) == 1 and not (told or self.is_last)


def effects_of(position: Position) -> dict[str, Effect]:
    """The effect of every legal action, by its text. Takes about 20 µs an action."""
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


def effect_of_turn(position: Position, actions: Sequence[int]) -> Effect:
    """The combined effect of successive actions. Raises KeyError for an illegal one."""
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


def _effect(position: Position, action: int) -> Effect:
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


def _expected(position: Position, action: int, after: Position) -> str:
    """What the player does next in the same turn, if that is another kind of action."""
    if after.is_between_turns:
        return ""
    actions = position.game.actions
    if actions[after.legal_actions()[0]].kind == actions[action].kind:
        return ""
    expects: str = position.game.description.explain.expects(after)
    return expects


@dataclass(frozen=True)
class PlayedTurn:
    """A turn of a game, with what it achieved in the terms of the game's rules."""

    number: int
    """From 1."""
    player: int
    actions: tuple[str, ...]
    counts: tuple[LazyMessage, ...]
    """The game's counted achievements, such as "2 rings closed", with those that didn't happen."""
    scores: tuple[float, ...]
    """Each player's score after it."""

    @property
    def achievements(self) -> tuple[LazyMessage, ...]:
        """What it achieved; empty if it only placed stones."""
        return tuple(count for count in self.counts if count.values["count"])


def played_turns(start: Position, actions: Iterable[int]) -> list[PlayedTurn]:
    """The turns of a game, the last of which may be unfinished."""
    counts = getattr(start.game.description.explain, "achievements", lambda before, action, after: ())
    turns: list[PlayedTurn] = []
    position, found, played = start, list[LazyMessage](), list[str]()
    for action in actions:
        before, position = position, position.play_action(action)
        found += counts(before, action, position)
        played.append(start.game.action_texts[action])
        latest = PlayedTurn(
            len(turns) + 1, before.to_move, tuple(played), summed(found), tuple(position.scores())
        )
        if not position.turn:
            turns, found, played = [*turns, latest], [], []
    return [*turns, latest] if position.turn and played else turns


def summed(counts: Iterable[LazyMessage]) -> tuple[LazyMessage, ...]:
    """Achievements of the same kind added up."""
    totals: dict[tuple[str, str], int] = {}
    for count in counts:
        kind = (count.one, count.many)
        totals[kind] = totals.get(kind, 0) + count.values["count"]
    return tuple(LazyMessage(*kind, {"count": total}) for kind, total in totals.items())


MOST_NAMED = 4
"""Actions of a turn listed in a sentence."""


def turn_in_words(actions: Sequence[str]) -> str:
    """The first actions of a turn, with an ellipsis if there are more."""
    return " ".join(actions[:MOST_NAMED]) + (" …" if len(actions) > MOST_NAMED else "")


def why_won(start: Position, turns: Sequence[PlayedTurn], winner: int, *, is_played_out: bool) -> str:
    """One sentence on why a player has more points than all others; empty if they don't.

    That is the komi if it exceeds the margin, else the turn that gained the lead for good or gained most. A
    lead without such a turn is worth mentioning only in a game that was played out.
    """
    game, scores = start.game, turns[-1].scores if turns else tuple(start.scores())
    komi = game.options.get(game.description.komi_option, 0)
    leads = [_lead(one, winner) for one in (tuple(start.scores()), *(turn.scores for turn in turns))]
    if leads[-1] <= 0:
        return ""
    if is_played_out and winner == 1 and leads[-1] < komi:
        board = f"{scores[0]:g} : {scores[1] - komi:g}"
        return lazy_message("The komi of {komi} decides it: {board} on the board.", komi=komi, board=board)
    name = lazy_message(game.player_names[winner])
    since = max((number for number, lead in enumerate(leads) if lead <= 0), default=-1) + 1
    own = [turn for turn in turns if turn.player == winner and turn.achievements]
    best = max(own, key=lambda turn: leads[turn.number] - leads[turn.number - 1], default=None)
    values = {"player": name, "number": since}
    if since and turns[since - 1] in own:
        best = turns[since - 1]
        said = lazy_message("{player} takes the lead for good on move {number}", **values)
    elif best and leads[best.number] - leads[best.number - 1] > 1:
        said = lazy_message("{player} gains the most on move {number}", player=name, number=best.number)
    elif is_played_out and since:
        return lazy_message("{player} is ahead from move {number} on.", **values)
    else:
        return (
            lazy_message("{player} is ahead from the start.", player=name)
            if is_played_out and not komi
            else ""
        )
    achievements, turn = lazy_join(", ", best.achievements), turn_in_words(best.actions)
    return lazy_message(
        "{said} with {turn}: {achievements}.", said=said, turn=turn, achievements=achievements
    )


def _lead(scores: Sequence[float], player: int) -> float:
    return scores[player] - max(score for other, score in enumerate(scores) if other != player)
