"""The same game with other options beside it, number by number."""

from collections.abc import Sequence

from kakomi.core import Game
from kakomi.study.report.content import Cell, Chart, Number, Section, Series, Table
from kakomi.study.report.estimates import difference, holm, p_value
from kakomi.study.report.statistics.measures import measures_of
from kakomi.study.report.statistics.shared import point
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

REAL = 0.05


def comparison(studies: Sequence[Study]) -> Section | None:
    """The games of equally strong players under each set of options; None for fewer than two."""
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
    """The highest level that all studies have, 0 for random play, and its games in each."""
    known = [
        {sample.level: games for sample, games in study.strengths if sample.kind != "own"}
        for study in studies
    ]
    level = max(set.intersection(*(set(each) for each in known)))
    return level, [each[level] for each in known]


def option_names(games: Sequence[Game]) -> list[str]:
    """What tells games of the same name apart: `size 7`."""
    options = list(games[0].options)
    differing = [name for name in options if len({game.options[name] for game in games}) > 1]
    return [
        " ".join(f"{name.replace('_', ' ')} {game.options[name]}" for name in differing) for game in games
    ]
