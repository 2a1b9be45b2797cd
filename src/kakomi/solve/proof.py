"""Proofs about a position between two players, reported as they are found."""

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
    """The facts proved about a position so far."""

    to_move: int
    results: Mapping[int, int]
    """The proved results of actions: 1 for a win, 0 for a draw, −1 for a loss of the player to act."""
    legal: int
    """The number of legal actions."""
    result: int | None = None
    """The result under best play for the player to act: 1, 0 or −1; None: not known."""
    margin: int | None = None
    """The margin of the player to act under best play of both; None: not known."""
    line: tuple[int, ...] = ()
    """Best play to the end, once the margin is known."""
    positions: int = 0
    """The number of positions searched so far."""
    seconds: float = 0.0

    @property
    def is_settled(self) -> bool:
        """Whether the results of all actions are proved."""
        return len(self.results) == self.legal

    def to_json(self, game: Game) -> dict[str, Any]:
        """Return the JSON data of the engine protocol."""
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
        """Read what `to_json` wrote for a position of the same game."""
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
    """Prove the result, then the result of each action, then the margin, within a budget of positions.

    The search stops when `goes_on`, called every few hundredths of a second, returns False. `tell` is called
    with the proof whenever it grows. Raises ValueError if the game is over, doesn't have two players, or
    can't be solved.
    """
    check_provable(position.game)
    return _Proving(position, Prover(position, budget, goes_on), tell).run()


class _Proving:
    """The work on the proof of one position."""

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
