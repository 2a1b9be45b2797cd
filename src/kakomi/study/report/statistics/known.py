"""Exact results, and a comparison with other options of the same game."""

from collections.abc import Sequence

from kakomi.core import Game
from kakomi.core.known_results import SolvedBoard
from kakomi.study.report.content import (
    Cell,
    Chart,
    Number,
    Section,
    Series,
    Table,
    in_words,
    options_in_words,
)
from kakomi.study.report.estimates import difference, holm, p_value
from kakomi.study.report.statistics.shared import measures_of, point
from kakomi.study.report.study import Study, share_of, share_of_seat
from kakomi.study.report.trace import Trace


def solved(study: Study) -> Section | None:
    """The solved boards of the game, the one of this report first; None if there are none."""
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


REAL = 0.05


def comparison(studies: Sequence[Study]) -> Section | None:
    """A comparison of games at the same level under each set of options; None for fewer than two studies."""
    if len(studies) < 2:
        return None
    level, games = common_level(studies)
    who = f"level {level}" if level else "random play"
    names = option_names([study.game for study in studies])
    measured = [
        (label, unit, [estimate(some) for some in games])
        for label, unit, estimate in measures_of(studies[0].game)
    ]
    rows, tests = [], []
    for label, unit, estimates in measured:
        for name, one in zip(names[1:], estimates[1:], strict=True):
            tests.append(
                (label, name, p_value(difference(one, estimates[0]), 0.0) if one and estimates[0] else 1.0)
            )
        cells = [Cell(number=Number(label, one, unit, who)) if one else Cell("–") for one in estimates]
        rows.append((Cell(label), *cells))
    corrected = holm([chance for *_, chance in tests])
    real = [
        f"{label} ({name})"
        for (label, name, _), chance in zip(tests, corrected, strict=True)
        if chance < REAL
    ]
    found = (
        f"Beside {names[0]}, these differ beyond chance: {', '.join(real)}."
        if real
        else "Nothing differs beyond chance."
    )
    first = measured[0]
    points = tuple(
        point(float(place), one, "percent", name)
        for place, (name, one) in enumerate(zip(names, first[2], strict=True))
        if one
    )
    return Section(
        key="comparison",
        title="Other sizes and options",
        group="known",
        finding=found,
        means=f"The same numbers for games of {who} under each set of options, from the beginning of the "
        "game.",
        not_means="A level is a number of simulations: on a larger board it sees less far, so equal "
        "levels need not be equally strong.",
        figures=(
            Table("Side by side", ("number", *names), tuple(rows), f"Games of {who}."),
            Chart(
                "What the first seat wins",
                "options",
                "share of the win",
                (Series("first seat", points, "points"),),
                f"The first seat's share of the win in games of {who}.",
                "percent",
                {float(place): name for place, name in enumerate(names)},
                1 / studies[0].game.players,
            ),
        ),
        summary=f"With {names[-1]} the first seat wins {in_words(first[2][-1], 'percent')}."
        if first[2][-1]
        else "",
        method="Differences from the first column are tested and corrected by Holm's method for all cells "
        "together.",
    )


def common_level(studies: Sequence[Study]) -> tuple[int, list[list[Trace]]]:
    """The highest level that all studies have, 0 for random play, and its games in each study."""
    known = [
        {sample.level: games for sample, games in study.strengths if sample.kind != "own"}
        for study in studies
    ]
    level = max(set.intersection(*(set(each) for each in known)))
    return level, [each[level] for each in known]


def option_names(games: Sequence[Game]) -> list[str]:
    """The options that distinguish games of the same name, as text: `size 7`."""
    options = list(games[0].options)
    differing = [name for name in options if len({game.options[name] for game in games}) > 1]
    return [
        " ".join(f"{name.replace('_', ' ')} {game.options[name]}" for name in differing) for game in games
    ]
