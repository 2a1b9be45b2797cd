"""An analysis as text, as data for programs, and as comments in the record: how well each player played, and
what would have been better.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from kakomi import __version__
from kakomi.analysis.analysis import Analysis, PositionLimits
from kakomi.analysis.move import Grade, Move, standard_error, turns_of
from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.core.returns import percent
from kakomi.records import Record, Turn
from kakomi.search import Report


def points(loss: float, error: float) -> str:
    """A loss in percentage points, with its standard error."""
    return f"{100 * loss:.1f} ± {100 * error:.1f}"


def chances_in_words(report: Report, analysis: Analysis) -> str:
    """All players' chances, with the standard error of the first player's."""
    names = analysis.game.player_names
    chances = ", ".join(
        f"{name} {percent(chance)}" for name, chance in zip(names, report.chances, strict=True)
    )
    if report.is_exact:
        return chances
    error = standard_error(report.chances[0], report.samples, analysis.dispersion)
    return f"{chances} (± {100 * error:.1f})"


def verdict(move: Move) -> str:
    """The cost of an action, as a sentence without a full stop."""
    texts = move.ply.before.game.action_texts
    grade = move.grade.word.capitalize() if move.grade else "Good enough"
    chances = f"{percent(move.promise)} → {percent(move.after.chances[move.ply.player])}"
    return (
        f"{grade}: {move.ply.action_text} loses {points(move.loss, move.error)} points "
        f"({chances}); better is {texts[move.best[0]]}"
    )


def limits_in_words(effort: PositionLimits) -> LazyMessage:
    """The limits of a position's search as text."""
    if effort.simulations is None:
        return lazy_message("{seconds:g} s", seconds=effort.seconds)
    simulations = lazy_message("{count:,} simulations", count=effort.simulations)
    if effort.seconds is None:
        return simulations
    seconds = lazy_message("{seconds:g} s", seconds=effort.seconds)
    return lazy_message("{simulations} or {seconds}", simulations=simulations, seconds=seconds)


@dataclass(frozen=True)
class Summary:
    """Statistics of a player's actions."""

    player: int
    actions: int
    """The number of actions that weren't forced."""
    loss: float
    """The mean win chance lost per action."""
    error: float
    """The standard error of `loss` due to the noise of the searches."""
    grades: dict[Grade, int]
    """The number of actions with each grade."""
    accuracy: float
    """Mean accuracy, from 0 to 100."""


def summaries(analysis: Analysis) -> list[Summary]:
    """A summary for each player who had a choice."""
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


_DIGITS = 4


def as_data(analysis: Analysis) -> list[dict[str, Any]]:
    """An object for each action, in the order played (docs/analyse.md describes the fields)."""
    return [_as_object(move) for move in analysis.moves]


def _as_object(move: Move) -> dict[str, Any]:
    ply, texts = move.ply, move.ply.before.game.action_texts
    return {
        "turn": ply.turn,
        "place": ply.place,
        "player": ply.player,
        "action": ply.action_text,
        "before": _chances(move.before),
        "after": _chances(move.after),
        "after_error": round(move.after_error, _DIGITS),
        "simulations": move.after.samples,
        "exact": move.after.is_exact,
        "best": [texts[action] for action in move.best],
        "best_chance": round(move.promise, _DIGITS),
        "loss": round(move.loss, _DIGITS),
        "loss_error": round(move.error, _DIGITS),
        "lead": move.after.owned.lead.round(_DIGITS).tolist() if move.after.owned else None,
        "spread": move.after.owned.spread.round(_DIGITS).tolist() if move.after.owned else None,
        "cost": round(move.swing.cost, _DIGITS) if move.swing else None,
        "cost_error": round(move.swing.error, _DIGITS) if move.swing else None,
        "region": list(move.swing.region) if move.swing else [],
        "forced": ply.is_forced,
        "checked": move.is_checked,
        "grade": move.grade.word if move.grade else None,
        "turning_point": move.is_turning_point,
    }


def _chances(report: Report) -> list[float]:
    return [round(chance, _DIGITS) for chance in report.chances]


MARK = "Analysis: "
"""The prefix of lines that an analysis writes into comments, so that a later one can replace them."""


def annotated(record: Record, analysis: Analysis) -> Record:
    """The record with comments on the win chances after each turn, a verdict on each graded action, and a
    variation with the better line.

    Replaces the comments of an earlier analysis, and keeps everything else.
    """
    by_turn: dict[int, list[Move]] = defaultdict(list)
    for move in analysis.moves:
        by_turn[move.ply.turn].append(move)
    turns = [replace(turn, comment=_without_ours(turn.comment)) for turn in record.turns]
    for number, moves in by_turn.items():
        turn = turns[number - 1]
        turns[number - 1] = replace(turn, comment=_joined(turn.comment, _remarks(moves, analysis)))
    for moves in by_turn.values():
        for move in moves:
            if move.grade:
                _add_better_line(turns, move)
    comment = _joined(_without_ours(record.comment), [_about(analysis)])
    return replace(record, comment=comment, turns=tuple(turns))


def _about(analysis: Analysis) -> str:
    effort = analysis.effort
    return (
        f"win chances by Kakomi {__version__}, {limits_in_words(effort)} per position, seed {effort.seed}; "
        f"± is a standard error in percentage points"
    )


def _remarks(moves: Sequence[Move], analysis: Analysis) -> Iterator[str]:
    yield chances_in_words(moves[-1].after, analysis)
    yield from (verdict(move) for move in moves if move.grade)
    yield from (str(move.swing.in_words) for move in moves if move.swing)


def _add_better_line(listed: list[Turn], move: Move) -> None:
    """Append the better line as a variation, or a remark if the record already has that turn."""
    first, *rest = turns_of(move.ply.before, move.best)
    number = _same_turn(listed, move.ply.turn - 1, first)
    remark = f"better by {points(move.loss, move.error)} points: {percent(move.promise)} for "
    remark += move.ply.player_name
    if number is None:
        listed += [replace(first, after=move.ply.turn - 1, comment=MARK + remark), *rest]
    elif number != move.ply.turn:
        turn = listed[number - 1]
        listed[number - 1] = replace(turn, comment=_joined(turn.comment, [remark]))


def _same_turn(listed: Sequence[Turn], before: int, wanted: Turn) -> int | None:
    """The number of a turn after turn `before` with the wanted actions in any order, or None."""
    for number, turn in enumerate(listed, 1):
        if _before(turn, number) == before and sorted(turn.actions) == sorted(wanted.actions):
            return number
    return None


def _before(turn: Turn, number: int) -> int:
    return number - 1 if turn.after is None else turn.after


def _joined(comment: str, remarks: Iterable[str]) -> str:
    return "\n".join([*([comment] if comment else []), *(MARK + remark for remark in remarks)])


def _without_ours(comment: str) -> str:
    return "\n".join(line for line in comment.split("\n") if not line.startswith(MARK))
