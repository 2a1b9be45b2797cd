"""Turns that an analysis speaks of, as they are drawn on a page's board."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.core.effects import Effect, effect_of_turn
from kakomi.core.returns import percent
from kakomi.draw import Hint
from kakomi.server.boardview.presenters import draw_badges
from kakomi.study.analysis import Move
from kakomi.study.analysis.move import turns_of


@dataclass(frozen=True)
class TurnMark:
    """A badge on the first place that a turn touches, and what the turn would change."""

    badges: str
    """Elements of the board's layer `hints`."""
    changes: dict[str, int | None]
    """Points -> the player whose stone stands there then, null for none."""

    @staticmethod
    def of(position: Position, actions: Sequence[str], effect: Effect, label: str, turned: int) -> "TurnMark":
        """That of a turn with its effect, for the board of a position that is turned so far."""
        game = position.game
        targets = filter(None, (game.actions[game.action(text)].target for text in actions))
        badges = [Hint(target, label) for target in list(targets)[:1]]
        return TurnMark(draw_badges(position, badges, turned), dict(effect.changes))

    @staticmethod
    def of_better(move: Move, turned: int) -> "TurnMark":
        """That of what was better than an action, with the chance that it promised."""
        before, better = move.ply.before, better_turn(move)
        effect = effect_of_turn(before, [before.game.action(text) for text in better])
        return TurnMark.of(before, better, effect, percent(move.promise), turned)


MOST_NAMED = 4
"""Actions of a turn in a sentence; the board shows the others."""


def turn_in_words(actions: Sequence[str]) -> str:
    """The first actions of a turn, and whether there are more."""
    return " ".join(actions[:MOST_NAMED]) + (" …" if len(actions) > MOST_NAMED else "")


def better_turn(move: Move) -> tuple[str, ...]:
    """What was better than an action, to the end of the turn."""
    before = move.ply.before
    return turns_of(before, move.best)[0].actions[len(before.turn) :]
