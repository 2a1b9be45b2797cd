"""All that can be proved of a position for two players, told as it is found."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kakomi.core import Game, Position
from kakomi.solve.prover import BudgetSpentError, Prover, check_provable
from kakomi.solve.solver import Solver

Tell = Callable[["Proof"], None]


@dataclass(frozen=True)
class Proof:
    """What is proved of a position."""

    to_move: int
    results: Mapping[int, int]
    """By action, as far as they are proved: 1 for a win, 0 for a draw, −1 for a loss of who acts."""
    legal: int
    """How many legal actions there are."""
    result: int | None = None
    """What best play comes to for who acts; None: not known."""
    margin: int | None = None
    """Who acts wins by so much under best play of both; None: not known."""
    line: tuple[int, ...] = ()
    """Best play to the end, if the margin is known."""
    positions: int = 0
    """Looked at so far."""
    seconds: float = 0.0

    @property
    def is_settled(self) -> bool:
        """Whether all actions are proved."""
        return len(self.results) == self.legal

    def to_json(self, game: Game) -> dict[str, Any]:
        """As the engine protocol writes it."""
        texts = game.action_texts
        return {
            "to_move": self.to_move,
            "results": {texts[action]: result for action, result in self.results.items()},
            "legal": self.legal,
            "result": self.result,
            "margin": self.margin,
            "line": [texts[action] for action in self.line],
            "positions": self.positions,
            "seconds": round(self.seconds, 3),
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any], game: Game) -> "Proof":
        """The one that `to_json` wrote, of a position of the same game."""
        return cls(
            to_move=found["to_move"],
            results={game.action(text): result for text, result in found["results"].items()},
            legal=found["legal"],
            result=found["result"],
            margin=found["margin"],
            line=tuple(map(game.action, found["line"])),
            positions=found["positions"],
            seconds=found["seconds"],
        )


def prove(
    position: Position,
    budget: int | None,
    goes_on: Callable[[], bool] = lambda: True,
    tell: Tell = lambda proof: None,
) -> Proof:
    """What is proved after so many positions: who wins, then what each action comes to, then by how much.

    `goes_on` is asked every few hundredths of a second, and `tell` is called with what is new. Raises
    ValueError if the game is over, has not two players, or can't be solved.
    """
    check_provable(position.game)
    return _Proving(position, Prover(position, budget, goes_on), tell).run()


class _Proving:
    """The proof of one position as it grows."""

    def __init__(self, position: Position, prover: Prover, tell: Tell) -> None:
        self._position, self._prover, self._tell = position, prover, tell
        self._begun = time.monotonic()
        self._proof = Proof(position.to_move, {}, len(position.legal_actions()))

    def run(self) -> Proof:
        try:
            self._note(result=self._prover.result(self._position))
            self._prove_actions()
            self._prove_margin(self._prover.solver)
        except BudgetSpentError:
            pass
        return self._now()

    def _prove_actions(self) -> None:
        for action in map(int, self._position.legal_actions()):
            self._prover.expect_budget()
            result = self._prover.result(self._position.play_action(action))
            self._note(results={**self._proof.results, action: result})

    def _prove_margin(self, solver: Solver) -> None:
        if not solver.run(self._prover.goes_on):
            return
        self._note(margin=solver.value)
        if (line := solver.line(self._prover.goes_on)) is not None:
            self._note(line=tuple(line))

    def _note(self, **found: Any) -> None:
        self._proof = replace(self._proof, **found)
        self._tell(self._now())

    def _now(self) -> Proof:
        return replace(self._proof, positions=self._prover.spent, seconds=time.monotonic() - self._begun)
