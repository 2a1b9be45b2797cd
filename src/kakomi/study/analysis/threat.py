"""What an opponent threatens: what they would do if it were their turn now."""

from dataclasses import dataclass

from kakomi.core import Position
from kakomi.core.effects import Effect, effect_of_turn
from kakomi.search import Report
from kakomi.study.analysis.move import turns_of

CLEAR = 0.25
"""The part of all simulations that go to an action before it is called the opponent's intention."""


def null_move(position: Position) -> Position | None:
    """The same board with the turn of the player to act left out; None where the rules have no such position.

    Where a turn can't be left out as it stands, as stones are marked for its player, that player passes.
    """
    if position.is_over or position.turn:
        return None
    states = position.states()
    states["to_move"] = (position.to_move + 1) % position.game.players
    skipped: Position | None
    try:
        skipped = position.game.restored(states, position.ply)
    except ValueError:
        skipped = _after_pass(position)
    return None if skipped is None or skipped.is_over or skipped.to_move == position.to_move else skipped


def _after_pass(position: Position) -> Position | None:
    actions = position.game.actions
    found = (action for action in position.legal_actions() if actions[action].kind == "pass")
    passing = next(found, None)
    return None if passing is None else position.play_action(passing)


@dataclass(frozen=True)
class Threat:
    """The turn that an opponent would play."""

    player: int
    actions: tuple[str, ...]
    effect: Effect
    share: float
    """The part of the simulations that begin with it, from 0 to 1."""
    wins: bool
    """Whether it is proven to win."""

    @staticmethod
    def of(skipped: Position, report: Report) -> "Threat | None":
        """That of the player to act after a null move, by a search there; None if no action stands out."""
        best = report.lines[0]
        share = best.visits / max(1, report.simulations)
        if share < CLEAR and not best.wins:
            return None
        turn = turns_of(skipped, best.principal)[0]
        actions = [skipped.game.action(text) for text in turn.actions]
        if not any(skipped.game.actions[action].target for action in actions):
            return None  # a pass is no threat
        effect = effect_of_turn(skipped, actions)
        return Threat(skipped.to_move, turn.actions, effect, min(1.0, share), best.wins)
