"""How well each player played, and an analysis for programs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.search import Report
from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.move import Grade, Move


@dataclass(frozen=True)
class Summary:
    """A player's actions in figures."""

    player: int
    actions: int
    """Those where there was a choice."""
    loss: float
    """Mean win chance lost by an action."""
    error: float
    """Standard error of `loss`, by the noise of the searches."""
    grades: dict[Grade, int]
    """The count of each."""
    accuracy: float
    """From 0 to 100."""


def summaries(analysis: Analysis) -> list[Summary]:
    """One for each player who had a choice."""
    players = range(analysis.game.players)
    chosen = [[m for m in analysis.moves if m.ply.player == p and not m.ply.is_forced] for p in players]
    return [_summary(player, moves) for player, moves in enumerate(chosen) if moves]


def _summary(player: int, moves: Sequence[Move]) -> Summary:
    return Summary(
        player=player,
        actions=len(moves),
        loss=math.fsum(move.loss for move in moves) / len(moves),
        error=math.sqrt(math.fsum(move.error**2 for move in moves)) / len(moves),
        grades={grade: sum(move.grade is grade for move in moves) for grade in Grade},
        accuracy=math.fsum(accuracy(move.loss) for move in moves) / len(moves),
    )


def accuracy(loss: float) -> float:
    """An action's accuracy from 0 to 100, by Lichess's curve for win chances
    (https://lichess.org/page/accuracy)."""
    return min(100.0, max(0.0, 103.1668 * math.exp(-4.354 * max(0.0, loss)) - 3.1669))


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
        "simulations": move.after.samples,
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


def _chances(report: Report) -> list[float]:
    return [round(chance, _DIGITS) for chance in report.chances]
