"""The actions of a recorded game with their effects on the win chances, the errors of these, and the
opponent's threats: what they would play if it were their turn now.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from kakomi.analysis.swing import CERTAIN, Swing, line_ends
from kakomi.core import Game, Position
from kakomi.core.effects import Effect, effect_of_turn
from kakomi.records import Record, Turn, start_of
from kakomi.search import Report


def standard_error(chance: float, samples: int, dispersion: float) -> float:
    """The standard error of a chance estimated from `samples` simulations; 0 samples mean that it is exact.

    Simulations of a tree search depend on each other: `dispersion` is their variance as a multiple of the
    variance of independent ones (quasi-binomial; P. McCullagh and J. A. Nelder, "Generalized Linear Models",
    1989, 4.5). Two extra simulations, one won and one lost, keep the error of a chance of 0 or 1 above 0.
    """
    return math.sqrt(dispersion * _variance(chance, samples) / samples) if samples else 0.0


def measured_dispersion(pairs: Iterable[tuple[Report, Report]]) -> float:
    """The dispersion estimated from pairs of independent searches of the same position; at least 1."""
    ratios = [_squared_ratio(*pair, player) for pair in pairs for player in _players_of(*pair)]
    return max(1.0, math.fsum(ratios) / len(ratios)) if ratios else 1.0


def _players_of(first: Report, second: Report) -> range:
    return range(0 if first.is_exact or second.is_exact else len(first.returns))


def _squared_ratio(first: Report, second: Report, player: int) -> float:
    """The squared difference of two searches, divided by its expectation for independent simulations."""
    one, other = first.chances[player], second.chances[player]
    expected = sum(
        _variance((one + other) / 2, report.samples) / report.samples for report in (first, second)
    )
    return (one - other) ** 2 / expected


def _variance(chance: float, samples: int) -> float:
    """The smoothed variance of one simulation, whose outcome is 0 or 1."""
    smoothed = (chance * samples + 1) / (samples + 2)
    return smoothed * (1 - smoothed)


@dataclass(frozen=True)
class Ply:
    """One action of a game's main line."""

    turn: int
    """The number of its turn in the record, counted from 1."""
    place: int
    """The action's number within the turn, counted from 1."""
    of: int
    """The number of actions in the turn."""
    before: Position
    after: Position
    action: int
    is_forced: bool
    """Whether it was the only legal action, or was played on behalf of a resigned player."""

    @property
    def player(self) -> int:
        """The player who acted."""
        return self.before.to_move

    @property
    def player_name(self) -> str:
        """The name of the player who acted."""
        return self.before.game.player_names[self.player]

    @property
    def action_text(self) -> str:
        """The action's text."""
        return self.before.game.action_texts[self.action]

    @property
    def number(self) -> str:
        """The turn's number, with the action's place in a turn of several: `12.2`."""
        return f"{self.turn}.{self.place}" if self.of > 1 else str(self.turn)

    @property
    def moment(self) -> float:
        """The moment after it, in turns from the start of the game."""
        return self.turn - 1 + self.place / self.of


def plies(record: Record, game: Game, turns: range | None = None) -> list[Ply]:
    """The actions of the main line, or of the given turns of it.

    Raises IllegalAction, unless the record has been checked.
    """
    resigned = {resignation.player: resignation.after for resignation in record.resignations}
    found = []
    position = start_of(record, game)
    for number, turn in enumerate(record.turns[: record.length], 1):
        has_left = number > resigned.get(turn.player, number)
        for ply in _of_turn(position, number, turn.actions, has_left):
            position = ply.after
            if turns is None or number in turns:
                found.append(ply)
    return found


def _of_turn(before: Position, number: int, texts: tuple[str, ...], has_left: bool) -> Iterator[Ply]:
    for place, text in enumerate(texts, 1):
        action = before.game.action(text)
        is_forced = has_left or len(before.legal_actions()) == 1
        after = before.play_action(action)
        yield Ply(number, place, len(texts), before, after, action, is_forced)
        before = after


LONGEST = 10
"""The most actions of a line to show: the search has hardly looked any further."""


def turns_of(start: Position, actions: Sequence[int]) -> list[Turn]:
    """Group actions from a position into turns; the first includes what was already played of it.

    Uses at most `LONGEST` actions, and drops an unfinished turn unless it is the first.
    """
    turns: list[Turn] = []
    played = list(start.turn)
    position = start
    for action in actions[:LONGEST]:
        player = position.to_move
        position = position.play_action(action)
        played.append(action)
        if not position.turn:
            turns.append(_turn(start, player, played))
            played = []
    return turns or [_turn(start, start.to_move, played)]


def _turn(position: Position, player: int, actions: Sequence[int]) -> Turn:
    return Turn(player=player, actions=tuple(position.game.action_texts[action] for action in actions))


class Grade(Enum):
    """The grade of an action, with the smallest loss of win chance that earns it."""

    INACCURACY = 0.05
    MISTAKE = 0.10
    BLUNDER = 0.20

    @property
    def word(self) -> str:
        """The grade as an English word."""
        return self.name.lower()

    @property
    def sign(self) -> str:
        """The chess annotation symbol."""
        return {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}[self]


def grade_of(loss: float) -> Grade | None:
    """The grade of a loss of win chance; None if it is small enough."""
    reached = [grade for grade in Grade if loss >= grade.value]
    return reached[-1] if reached else None


@dataclass(frozen=True)
class Move:
    """A judged action of a game."""

    ply: Ply
    before: Report
    after: Report
    best: tuple[int, ...]
    """The best line from the position before."""
    promise: float
    """The player's chance with the best action; if that wasn't checked, the chance before the action."""
    loss: float
    """The win chance that the action lost; negative if it did better than the search expected."""
    error: float
    """Standard error of `loss`."""
    after_error: float
    """Standard error of the player's chance after the action."""
    is_checked: bool
    """Whether the action played and the best one were both searched longer."""
    swing: Swing | None = None
    """What it cost on the board, of the costliest moves alone; None too if that isn't clear."""

    @property
    def line_ends(self) -> tuple[Position, Position]:
        """The positions that its swing compares: on the line that followed from it, and on the best line."""
        return line_ends(self.ply.before, (self.ply.action, *self.after.principal), self.best)

    @property
    def grade(self) -> Grade | None:
        """The grade, if a longer search confirmed a loss beyond noise; otherwise None."""
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
    """Judge an action by the chances before and after it.

    The best line's own chance isn't used: the best of many rarely visited lines is too optimistic.
    """
    promise, error = before.chances[ply.player], _error_of(before, ply.player, dispersion)
    return _move(ply, before, after, before.principal, promise, error, dispersion)


def is_suspicious(move: Move, dispersion: float) -> bool:
    """Whether a move seems to lose enough, by the chances or by the best line's promise, to search it and the
    best line longer."""
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
    """Judge an action by longer searches: before it, after it, and after the best action (`instead`)."""
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
    """The judged move. The best action and forced actions lose nothing."""
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


CLEAR = 0.25
"""The fraction of all simulations that an action needs to count as a threat."""


def null_move(position: Position) -> Position | None:
    """The same board with the current turn skipped; None if the rules have no such position.

    If the turn can't simply be skipped, because stones are marked for its player, that player passes.
    """
    if position.is_over or position.turn:
        return None
    states = position.states()
    states["to_move"] = (position.to_move + 1) % position.game.players
    skipped: Position | None
    try:
        skipped = position.game.restored(states, position.ply)
    except ValueError:
        skipped = _after_pass(position)
    return None if skipped is None or skipped.is_over or skipped.to_move == position.to_move else skipped


def _after_pass(position: Position) -> Position | None:
    actions = position.game.actions
    found = (action for action in position.legal_actions() if actions[action].kind == "pass")
    passing = next(found, None)
    return None if passing is None else position.play_action(passing)


@dataclass(frozen=True)
class Threat:
    """The turn that an opponent threatens to play."""

    player: int
    actions: tuple[str, ...]
    effect: Effect
    share: float
    """The fraction of simulations that begin with it, from 0 to 1."""
    wins: bool
    """Whether it is a proven win."""

    @staticmethod
    def of(skipped: Position, report: Report) -> "Threat | None":
        """The threat of the player to act after a null move, from a search there; None if none stands out."""
        best = report.lines[0]
        share = best.visits / max(1, report.simulations)
        if share < CLEAR and not best.wins:
            return None
        turn = turns_of(skipped, best.principal)[0]
        actions = [skipped.game.action(text) for text in turn.actions]
        if not any(skipped.game.actions[action].target for action in actions):
            return None  # a pass is no threat
        effect = effect_of_turn(skipped, actions)
        return Threat(skipped.to_move, turn.actions, effect, min(1.0, share), best.wins)
