"""Networks that have one opinion."""

from kakomi.core import Game
from kakomi.learn.evaluator import BlankEvaluator

SURE = 20.0
"""A logit beside which others count for nothing."""


class CountingEvaluator(BlankEvaluator):
    """Knows nothing, and counts how often it is asked."""

    asked = 0

    def evaluate(self) -> None:
        self.asked += 1


class InsistentEvaluator(CountingEvaluator):
    """Finds that one action deserves nearly all visits."""

    def __init__(self, game: Game, action: int) -> None:
        super().__init__(game)
        self.advice.answer[self.advice.entries[action, 0]] = SURE


class ConfidentEvaluator(CountingEvaluator):
    """Expects the player to act to win, by 50 points."""

    lead = 50.0

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.advice.value[0], self.advice.leads[0] = SURE, self.lead
