"""How well each player played."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.grade import Grade
from kakomi.study.analysis.move import Move


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
    """How often each."""
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
