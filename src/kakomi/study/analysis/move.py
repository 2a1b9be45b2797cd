"""The actions of a recorded game one by one, with what each did to the win chances, how far these may be off,
and what an opponent threatens: what they would do if it were their turn now.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from kakomi.core import Game, Position
from kakomi.core.effects import Effect, effect_of_turn
from kakomi.records import Record, Turn, start_of
from kakomi.search import Report


def standard_error(chance: float, samples: int, dispersion: float) -> float:
    """The standard error of a chance estimated by so many simulations; by none it is exact.

    Simulations of a tree search depend on each other: `dispersion` says how many times the variance is
    that of independent ones (quasi-binomial; P. McCullagh and J. A. Nelder, "Generalized Linear Models",
    1989, 4.5). Two simulations more, one won and one lost, keep the error of a chance of 0 or 1 above 0.
    """
    return math.sqrt(dispersion * _variance(chance, samples) / samples) if samples else 0.0


def measured_dispersion(pairs: Iterable[tuple[Report, Report]]) -> float:
    """The dispersion that pairs of independent searches of the same position show; at least 1."""
    ratios = [_squared_ratio(*pair, player) for pair in pairs for player in _players_of(*pair)]
    return max(1.0, math.fsum(ratios) / len(ratios)) if ratios else 1.0


def _players_of(first: Report, second: Report) -> range:
    return range(0 if first.is_exact or second.is_exact else len(first.returns))


def _squared_ratio(first: Report, second: Report, player: int) -> float:
    """How far two searches differ, squared, over what independent simulations let expect."""
    one, other = first.chances[player], second.chances[player]
    expected = sum(
        _variance((one + other) / 2, report.samples) / report.samples for report in (first, second)
    )
    return (one - other) ** 2 / expected


def _variance(chance: float, samples: int) -> float:
    """Of one simulation, which gives 0 or 1."""
    smoothed = (chance * samples + 1) / (samples + 2)
    return smoothed * (1 - smoothed)


@dataclass(frozen=True)
class Ply:
    """One action of the game itself."""

    turn: int
    """The number of its turn in the record, from 1."""
    place: int
    """Which action of the turn it is, from 1."""
    of: int
    """The number of actions in the turn."""
    before: Position
    after: Position
    action: int
    is_forced: bool
    """Whether the action was the only legal one, or the match played it for a resigned player."""

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
        """The action as it is spelled."""
        return self.before.game.action_texts[self.action]

    @property
    def number(self) -> str:
        """The turn's number, with the action's place in a turn of several: `12.2`."""
        return f"{self.turn}.{self.place}" if self.of > 1 else str(self.turn)

    @property
    def moment(self) -> float:
        """When it had been played, in turns from the start of the game."""
        return self.turn - 1 + self.place / self.of


def plies(record: Record, game: Game, turns: range | None = None) -> list[Ply]:
    """The actions of the game itself, or of some of its turns; variations are left out.

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
"""Actions of a line that anybody is shown: further on a search has hardly looked."""


def turns_of(start: Position, actions: Sequence[int]) -> list[Turn]:
    """The turns that actions from a position on make up, with what was played of the first one before.

    At most `LONGEST` actions are taken, and a turn that they leave unfinished only if it is the first.
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
    """The grade of an action, by the win chance that it lost."""

    INACCURACY = 0.05
    MISTAKE = 0.10
    BLUNDER = 0.20

    @property
    def word(self) -> str:
        """The word for people."""
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
"""The number of standard errors from zero at which a loss counts."""


@dataclass(frozen=True)
class Move:
    """An action of a game, judged."""

    ply: Ply
    before: Report
    after: Report
    best: tuple[int, ...]
    """The best line instead."""
    promise: float
    """The player's chance with the best action: if it wasn't checked, the chance before the action."""
    loss: float
    """The win chance that the action lost; slightly negative if it did better than the search expected."""
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
    """An action judged by longer searches: before it, after it, and after the best line `instead`."""
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


CLEAR = 0.25
"""The part of all simulations that go to an action before it is called the opponent's intention."""


def null_move(position: Position) -> Position | None:
    """The same board with the turn of the player to act left out; None where the rules have no such position.

    Where a turn can't be left out as it stands, as stones are marked for its player, that player passes.
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
    """The turn that an opponent would play."""

    player: int
    actions: tuple[str, ...]
    effect: Effect
    share: float
    """The part of the simulations that begin with it, from 0 to 1."""
    wins: bool
    """Whether it is proven to win."""

    @staticmethod
    def of(skipped: Position, report: Report) -> "Threat | None":
        """That of the player to act after a null move, by a search there; None if no action stands out."""
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
