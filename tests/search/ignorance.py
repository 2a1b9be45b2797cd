"""Evaluators for tests: one that knows nothing, and one that wants a certain action."""

from kakomi.core import Game
from kakomi.learn.evaluator import advice_over, buffers


class Ignorance:
    """Answers 0 to everything, as far as nobody writes another answer."""

    def __init__(self, game: Game) -> None:
        self.advice = advice_over(game, *(array[0] for array in buffers(game, 1)))
        self.asked = 0

    def evaluate(self) -> None:
        self.asked += 1


class Insistence(Ignorance):
    """Finds that one action deserves nearly all visits."""

    def __init__(self, game: Game, action: int) -> None:
        super().__init__(game)
        self.advice.answer[self.advice.entries[action, 0]] = 20


class Optimism(Ignorance):
    """Expects the player to act to win by far."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.advice.value[0], self.advice.leads[0] = 20, 50
