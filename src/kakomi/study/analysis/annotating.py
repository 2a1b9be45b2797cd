"""Records with an analysis written into them: comments on turns, and what would have been better."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kakomi import __version__
from kakomi.core.returns import percent
from kakomi.records import Record, Turn
from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.move import Move, turns_of
from kakomi.study.analysis.wording import chances_in_words, limits_in_words, points, verdict

MARK = "Analysis: "
"""The beginning of every line that an analysis writes into a comment, so that a later one can replace it."""


def annotated(record: Record, analysis: Analysis) -> Record:
    """The record with the win chances after each turn, a verdict on each graded action, and a variation
    with the better line where there is one.

    Comments by an earlier analysis are replaced; all else stays.
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
        f"win chances by Kakomi {__version__}, {limits_in_words(effort)} a position, seed {effort.seed}; "
        f"± is a standard error in percentage points"
    )


def _remarks(moves: Sequence[Move], analysis: Analysis) -> Iterator[str]:
    yield chances_in_words(moves[-1].after, analysis)
    yield from (verdict(move) for move in moves if move.grade)


def _add_better_line(listed: list[Turn], move: Move) -> None:
    """The better line as turns behind all others, or a remark where the record has it already."""
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
    """The number of a turn that does the same after the same turn, in whatever order."""
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
