"""An action with what it did to the win chances, and words for what it cost."""

import math
from dataclasses import dataclass
from enum import Enum

from kakomi.search import Report
from kakomi.study.analysis.dispersion import standard_error
from kakomi.study.analysis.plies import Ply


class Grade(Enum):
    """How bad an action was, by the win chance that it lost."""

    INACCURACY = 0.05
    MISTAKE = 0.10
    BLUNDER = 0.20

    @property
    def word(self) -> str:
        """What people read."""
        return self.name.lower()

    @property
    def sign(self) -> str:
        """As chess players annotate it."""
        return {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}[self]


def grade_of(loss: float) -> Grade | None:
    """The grade of an action that lost so much win chance; None if it was good enough."""
    reached = [grade for grade in Grade if loss >= grade.value]
    return reached[-1] if reached else None


CERTAIN = 2.0
"""So many standard errors a loss must be from nothing before it is held against anybody."""


@dataclass(frozen=True)
class Move:
    """An action of a game, judged."""

    ply: Ply
    before: Report
    after: Report
    best: tuple[int, ...]
    """What would have been best, and how play would have gone on."""
    promise: float
    """The player's chance with the best action: if it wasn't checked, the chance before the action."""
    loss: float
    """What the action cost of it; a little below 0 where it did better than the search had thought."""
    error: float
    """Standard error of `loss`."""
    after_error: float
    """Standard error of the player's chance after the action."""
    is_checked: bool
    """Whether both alternatives were searched longer."""

    @property
    def grade(self) -> Grade | None:
        """Only for a loss that a longer search confirmed and that is beyond noise."""
        return grade_of(self.loss) if self.is_checked and self.is_certain else None

    @property
    def is_certain(self) -> bool:
        """Whether the loss is beyond noise."""
        return self.loss > CERTAIN * self.error

    @property
    def is_turning_point(self) -> bool:
        """Whether the game turned here: a mistake or worse."""
        return self.grade in (Grade.MISTAKE, Grade.BLUNDER)


def judged(ply: Ply, before: Report, after: Report, dispersion: float) -> Move:
    """An action by the chances before it and after it.

    Not by the best line's promise: the best of many lines that were hardly visited promises too much.
    """
    promise, error = before.chances[ply.player], _error_of(before, ply.player, dispersion)
    return _move(ply, before, after, before.principal, promise, error, dispersion)


def is_suspicious(move: Move, dispersion: float) -> bool:
    """Whether a move seems to lose so much, by the chances or by the best line's promise, that both
    alternatives should be searched longer."""
    if move.ply.is_forced or move.best[0] == move.ply.action:
        return False
    best = move.before.lines[0]
    promise, visits = best.chances[move.ply.player], 0 if best.wins or move.before.is_exact else best.visits
    error = math.hypot(move.after_error, standard_error(promise, visits, dispersion))
    missed = promise - move.after.chances[move.ply.player]
    return _counts(missed, error) or _counts(move.loss, move.error)


def _counts(loss: float, error: float) -> bool:
    return loss >= Grade.INACCURACY.value and loss > CERTAIN * error


def judged_longer(ply: Ply, before: Report, after: Report, instead: Report, dispersion: float) -> Move:
    """An action by longer searches: before it, after it, and after what was found best `instead`."""
    promise, best = instead.chances[ply.player], (before.action, *instead.principal)
    error = _error_of(instead, ply.player, dispersion)
    return _move(ply, before, after, best, promise, error, dispersion, is_checked=True)


def _move(
    ply: Ply,
    before: Report,
    after: Report,
    best: tuple[int, ...],
    promise: float,
    promise_error: float,
    dispersion: float,
    *,
    is_checked: bool = False,
) -> Move:
    """The judgement; what is best, or all there is, loses nothing."""
    after_error = _error_of(after, ply.player, dispersion)
    is_best = ply.is_forced or best[0] == ply.action
    return Move(
        ply=ply,
        before=before,
        after=after,
        best=best,
        promise=promise,
        loss=0.0 if is_best else promise - after.chances[ply.player],
        error=0.0 if is_best else math.hypot(promise_error, after_error),
        after_error=after_error,
        is_checked=is_checked,
    )


def _error_of(report: Report, player: int, dispersion: float) -> float:
    return standard_error(report.chances[player], report.samples, dispersion)
