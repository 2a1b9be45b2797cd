"""Checks of the rules: legal actions, turns, and the ends of games."""

import math

from kakomi.core import Position
from kakomi.core.validation import unmet_requirements
from kakomi.research.certify.random_games import Inspection, most_plies


def requirements(inspection: Inspection) -> None:
    """The game can be expressed: without chance, each action with a text of its own (docs/what-fits.md)."""
    inspection.same("reasons against it:", [], list(unmet_requirements(inspection.game)))


def running(inspection: Inspection) -> None:
    """Interpreted rules run without an overflow or any other error."""
    for one in inspection.random_games:
        inspection.place = one.failing
        inspection.count += len(one.actions)
        inspection.same("error", "none", one.error)


def listing(inspection: Inspection) -> None:
    """Legal actions are ascending numbers, none twice; there are some until the game is over."""
    for position in inspection.positions():
        legal = position.legal_actions()
        inspection.same("legal actions ascending:", sorted(set(legal)), legal)
        actions = range(len(inspection.game.actions))
        inspection.holds(f"legal actions 0 to {actions[-1]}:", set(legal) <= set(actions), "these", legal)
        inspection.same("that the game is over:", not legal, position.is_over)


def kinds(inspection: Inspection) -> None:
    """Stones change as the kind of an action says: a removal takes its stone off, a pass changes none."""
    for before, number, after in inspection.steps():
        action = inspection.game.actions[number]
        changes = (before.stones(), before.kinds()) != (after.stones(), after.kinds())
        is_quiet = action.kind in ("pass", "end")
        inspection.same(f"that {action.text} changes stones:", not is_quiet, changes)
        if action.kind == "remove":
            held = [action.point in position.stones() for position in (before, after)]
            inspection.same(f"a stone before and after {action.text}:", [True, False], held)


def turns(inspection: Inspection) -> None:
    """The player to act exists and stays the same during a turn, and actions are counted."""
    for before, action, after in inspection.steps():
        players = range(inspection.game.players)
        inspection.holds("the player to act", after.to_move in players, f"among {players}", after.to_move)
        inspection.same("the player to act, by the state:", int(after.state["to_move"]), after.to_move)
        inspection.same("ply", before.ply + 1, after.ply)
        turn = (*before.turn, action)
        inspection.same("the turn", turn, after.turn or after.previous_turn)
        if after.turn:
            inspection.same("the player of the turn", before.to_move, after.to_move)


def endings(inspection: Inspection) -> None:
    """Games end; there is a return for each player, their sum is 0, and the best score wins."""
    game = inspection.game
    for walk in inspection.walks():
        *_, last = walk
        if last.is_over:
            _settled(inspection, last)
        elif game.cut_off is None and last.ply >= most_plies(game):
            inspection.same("an end within plies:", most_plies(game), "none")


def _settled(inspection: Inspection, last: Position) -> None:
    players, scores, returns = inspection.game.players, last.scores(), last.returns()
    inspection.same("returns, as many as players:", players, len(returns))
    inspection.holds("returns", abs(sum(returns)) < 1e-9, "whose sum is 0", returns)
    inspection.holds("scores", all(map(math.isfinite, scores)), "that are finite numbers", scores)
    inspection.same("the winners", _best(scores), _best(returns))


def _best(numbers: list[float]) -> list[int]:
    return [player for player, number in enumerate(numbers) if number == max(numbers)]
