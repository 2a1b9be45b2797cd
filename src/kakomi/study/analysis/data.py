"""An analysis for programs."""

from typing import Any

from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.estimate import Estimate
from kakomi.study.analysis.move import Move

_DIGITS = 4


def as_data(analysis: Analysis) -> list[dict[str, Any]]:
    """An object an action, in the order played (docs/analyse.md says what each field is)."""
    return [_as_object(move) for move in analysis.moves]


def _as_object(move: Move) -> dict[str, Any]:
    ply, texts = move.ply, move.ply.before.game.action_texts
    return {
        "turn": ply.turn,
        "place": ply.place,
        "player": ply.player,
        "action": ply.action_text,
        "before": _chances(move.before),
        "after": _chances(move.after),
        "after_error": round(move.after_error, _DIGITS),
        "simulations": move.after.simulations,
        "exact": move.after.is_exact,
        "best": [texts[action] for action in move.best],
        "best_chance": round(move.promise, _DIGITS),
        "loss": round(move.loss, _DIGITS),
        "loss_error": round(move.error, _DIGITS),
        "forced": ply.is_forced,
        "checked": move.is_checked,
        "grade": move.grade.word if move.grade else None,
        "turning_point": move.is_turning_point,
    }


def _chances(estimate: Estimate) -> list[float]:
    return [round(chance, _DIGITS) for chance in estimate.chances]
