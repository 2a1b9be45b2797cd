"""Searches of a game's positions as they are kept: in the database with a game's analysis, and in memory."""

import hashlib
import threading
from collections.abc import Sequence
from typing import Any

from cachetools import LRUCache

from kakomi.core import Game, Position
from kakomi.core.returns import return_of
from kakomi.search import Line, Report
from kakomi.study.analysis import PositionLimits
from kakomi.study.analysis.analysis import SIMULATIONS, Question
from kakomi.study.analysis.move import measured_dispersion

EFFORT = PositionLimits(simulations=SIMULATIONS)
"""Of every search that is kept, so that whoever asks the same finds it."""
GAMES_IN_MEMORY = 200
"""Games at tables; one takes some hundred kilobytes when each of its positions was searched."""

Kept = dict[str, Any]
"""Question -> a report with its best line, as data that JSON can hold."""

THREAT = "threat "
"""What the keys begin with of positions that weren't played."""
PROOF = "proof "
"""What the keys begin with of what the solver proved."""

_GAMES: LRUCache[tuple[str, int], Kept] = LRUCache(GAMES_IN_MEMORY)
_LOCK = threading.Lock()


def kept_in_memory(code: str, number: int) -> Kept:
    """What this process knows of a game at a table, from 0; to be added to. Games used last stay."""
    with _LOCK:
        return _GAMES.setdefault((code, number), {})


def measured_in(game: Game, kept: Kept) -> float:
    """The dispersion that the positions show which were searched twice; at least 1."""
    twice = [(f"0{key[1:]}", key) for key in kept if key.startswith("1:")]
    return measured_dispersion(
        (Report.from_json(kept[first], game), Report.from_json(kept[again], game))
        for first, again in twice
        if first in kept
    )


def answers_known(code: str, number: int) -> Kept:
    """What searches of this process know of the positions of a game at a table."""
    known = kept_in_memory(code, number).copy()  # a coach may add to it meanwhile
    return {key: found for key, found in known.items() if not key.startswith((THREAT, PROOF))}


class StoredAnswers:
    """What was answered before, and nothing else: enough to draw an analysis as far as it came."""

    def __init__(self, game: Game, kept: Kept) -> None:
        self._game = game
        self.kept = kept

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report for each question that was answered."""
        del what
        return [self.known(question) for question in questions]

    def known(self, question: Question) -> Report | None:
        """What is known without a search."""
        if question.position.is_over:
            return Report.of_result(question.position)
        found = self.kept.get(self.key(question))
        return None if found is None else stored_report(found, question.position)

    def key(self, question: Question) -> str:
        """What a question is kept as."""
        said = " ".join(self.texts(question))
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        return f"{question.attempt}:{question.factor}:{digest}"

    def texts(self, question: Question) -> list[str]:
        """What was played up to a question's position."""
        return [self._game.action_texts[action] for action in question.position.played()]


class MissingAnswers(StoredAnswers):
    """Notes the questions that nobody has answered yet."""

    def __init__(self, game: Game, kept: Kept) -> None:
        super().__init__(game, kept)
        self.missing: list[Question] = []

    def known(self, question: Question) -> Report | None:
        """What is known without a search."""
        found = super().known(question)
        if found is None:
            self.missing.append(question)
        return found


def stored_report(data: dict[str, Any], position: Position) -> Report:
    """A report that was kept of a position, by this version or by one that kept estimates."""
    if "returns" in data:
        return Report.from_json(data, position.game)
    return _earlier_report(data, position)


def _earlier_report(data: dict[str, Any], position: Position) -> Report:
    """What versions up to 0.4.0.dev0 kept: `chances`, the `simulations` that they are the mean of (0 if they
    are exact), the `best` line as numbers, and the `promise` of its first action to the player to act, with
    `promise_visits` (0 if it is proven)."""
    players, mover, promise = position.game.players, position.to_move, data["promise"]
    others = (1 - promise) / (players - 1)
    chances = [promise if player == mover else others for player in range(players)]
    best = tuple(data["best"])
    line = Line(
        best[0],
        data["promise_visits"],
        tuple(return_of(chance, players) for chance in chances),
        wins=promise == 1 and not data["promise_visits"],
        principal=best,
    )
    returns = tuple(return_of(chance, players) for chance in data["chances"])
    return Report(mover, data["simulations"], 0.0, returns, (line,), is_proven=not data["simulations"])
