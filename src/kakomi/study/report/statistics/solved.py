"""Exact values of small boards, beside what games of bots say."""

from kakomi.core.solved import SolvedBoard
from kakomi.study.report.content import Cell, Section, Table
from kakomi.study.report.study import Study, share_of, share_of_seat
from kakomi.study.report.wording import in_words, options_in_words


def solved(study: Study) -> Section | None:
    """All boards of the game whose value is known, the one that was played first; None where there is
    none."""
    boards = study.game.description.solved
    if not boards:
        return None
    here = [board for board in boards if dict(board.options) == dict(study.game.options)]
    return Section(
        key="solved",
        title="Solved boards",
        group="known",
        finding=_beside(study, here) if here else "The board of this report is not solved; smaller ones are.",
        means="The margin under best play of everybody, by a search of all positions; among three or "
        "more, the most that one seat can make sure of against all others together.",
        not_means="Bots that miss the exact result often are not weak by that alone: a win by one point "
        "may hang on each of a hundred actions. Of other sizes a solved board says nothing.",
        figures=(_table(study, [*here, *(board for board in boards if board not in here)]),),
    )


def _beside(study: Study, here: list[SolvedBoard]) -> str:
    told = []
    for board in here:
        name = study.game.player_names[board.seat]
        own = share_of(study.games, share_of_seat(board.seat))
        got = (
            f"; it takes {in_words(own, 'percent')} of the win in games of {study.best.title}" if own else ""
        )
        told.append(f"Under best play {name} {_result(board)}{got}.")
    return " ".join(told)


def _result(board: SolvedBoard) -> str:
    if not board.margin:
        return "draws"
    return f"{'wins' if board.margin > 0 else 'loses'} by {abs(board.margin)}"


def _table(study: Study, boards: list[SolvedBoard]) -> Table:
    rows = tuple(
        (
            Cell(options_in_words(board.options)),
            Cell(study.game.description.player_names[board.seat]),
            Cell(_result(board)),
            Cell(board.command),
        )
        for board in boards
    )
    return Table("Exact values", ("board", "seat", "under best play", "shown by"), rows)
