"""Evaluators with fixed opinions."""

from kakomi.core import Game
from kakomi.networks.evaluator import BlankEvaluator

SURE = 20.0
"""A logit so large that others are negligible."""


class CountingEvaluator(BlankEvaluator):
    """Answers 0, and counts its evaluations."""

    asked = 0

    def evaluate(self) -> None:
        self.asked += 1


class InsistentEvaluator(CountingEvaluator):
    """Gives one action nearly all of the prior."""

    def __init__(self, game: Game, action: int) -> None:
        super().__init__(game)
        self.advice.answer[self.advice.entries[action, 0]] = SURE


class ConfidentEvaluator(CountingEvaluator):
    """Expects the player to act to win, by 50 points."""

    lead = 50.0

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.advice.value[0], self.advice.leads[0] = SURE, self.lead
