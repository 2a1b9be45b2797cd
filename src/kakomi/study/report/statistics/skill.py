"""How much stronger a player can be: the ladder of levels, and what more effort is worth."""

import math
from collections.abc import Mapping

from kakomi.study.report.content import Cell, Chart, DataPoint, GameLink, Number, Section, Series, Table
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.strength import Step, elo_by_level, steps
from kakomi.study.report.study import Study, extreme
from kakomi.study.report.wording import games_in_words, in_words
from kakomi.study.tournament import elo_of

Ratings = Mapping[int, Estimate]
"""Elo points by level."""
AIMS = (0.6, 0.75)
ALIKE = 0.05
"""Bots whose temperatures differ by no more differ in effort alone."""


def skill(study: Study) -> Section | None:
    """Scores of neighbours, Elo points, and how many times the effort wins 60 and 75 %; None without
    levels."""
    climbed = steps(study)
    if not climbed:
        return None
    ratings = elo_by_level(study)
    top = max(ratings)
    span = ratings[top].value - ratings[0].value
    numbers = [
        Number(
            f"times the effort for {100 * aim:.0f} % of games, at level {step.level - 1}",
            factor,
            "times",
            f"level {step.level} against level {step.level - 1}",
        )
        for step in climbed
        for aim in AIMS
        if (factor := effort_for(study, step, aim))
    ]
    return Section(
        key="skill",
        title="The ladder of skill",
        group="skill",
        finding=f"Level {top} is {span:.0f} Elo points above random play, {top} steps that each win "
        f"{100 * min(step.score.value for step in climbed):.0f} to "
        f"{100 * max(step.score.value for step in climbed):.0f} % against the one below.",
        means="Each level plays the one below on random openings, each from every seat; scores become Elo "
        "points, and steps add up. Where two levels differ in simulations alone, their score tells how "
        "many times the effort wins 60 or 75 % of games.",
        not_means="A long ladder shows that there is much to be gained by looking further ahead, and not "
        "that people find it deep; a ladder of bots of one kind ends where that kind does.",
        numbers=tuple(numbers),
        figures=(_chart(ratings), _table(study, climbed, ratings)),
        links=tuple(_upset(study)),
        summary=f"{top} levels of bots stand between random play and the strongest one here, each clearly "
        "better than the one below."
        if all(step.score.low > 0.5 for step in climbed)
        else "",
        method="The factor is the ratio of simulations to the power of the wanted Elo difference over the "
        "one that was found; it supposes that strength grows with the logarithm of effort between the two.",
    )


def effort_for(study: Study, step: Step, aim: float) -> Estimate | None:
    """How many times the effort of the lower level scores so much; None for bots that differ in more than
    effort, and where the stronger isn't shown to be stronger."""
    if step.level < 2:
        return None
    lower, higher = study.game.description.levels[step.level - 2 : step.level]
    ratio = higher.simulations / lower.simulations
    alike = lower.adviser is higher.adviser and max(lower.temperature, higher.temperature) <= ALIKE
    if not alike or ratio <= 1 or step.elo.low <= 0:
        return None
    wanted = elo_of(aim)
    most, value, least = (
        ratio ** (wanted / elo) if math.isfinite(elo) else 1.0
        for elo in (step.elo.low, step.elo.value, step.elo.high)
    )
    return Estimate(value, least, most, step.score.games, step.score.blocks)


def _chart(ratings: Ratings) -> Chart:
    points = tuple(
        DataPoint(
            level,
            one.value,
            one.low if one.error else None,
            one.high if one.error and math.isfinite(one.high) else None,
            f"{'random play' if not level else f'level {level}'}: {in_words(one, 'elo')}, "
            f"{games_in_words(one)}",
        )
        for level, one in sorted(ratings.items())
        if math.isfinite(one.low) or not one.error
    )
    labels = {float(level): str(level) if level else "random" for level in ratings}
    return Chart(
        "The ladder",
        "random play and levels of bots",
        "Elo points above level 1",
        (Series("Elo", points),),
        "The strength of each level as measured in this report.",
        "elo",
        labels,
    )


def _table(study: Study, climbed: list[Step], ratings: Ratings) -> Table:
    rows = []
    for step in climbed:
        level = study.game.description.levels[step.level - 1]
        title = (
            f"level {step.level} against level {step.level - 1}"
            if step.level > 1
            else "level 1 against random play"
        )
        factors = [effort_for(study, step, aim) for aim in AIMS]
        rows.append(
            (
                Cell(title),
                Cell(f"{level.simulations:,}"),
                Cell(f"{level.temperature:g}"),
                Cell(f"{step.score.games:,}"),
                Cell(number=Number("score", step.score, "percent", title)),
                Cell(number=Number("Elo", ratings[step.level], "elo", title)),
                *(
                    Cell(number=Number("effort", one, "times", title)) if one else Cell("–")
                    for one in factors
                ),
            )
        )
    columns = (
        "players",
        "simulations",
        "temperature",
        "games",
        "score",
        "Elo above level 1",
        "effort for 60 %",
        "effort for 75 %",
    )
    return Table(
        "Steps", columns, tuple(rows), "Simulations and temperature are those of the stronger player."
    )


def _upset(study: Study) -> list[GameLink]:
    """A game that the weaker player won against the highest level."""
    sample, games = study.ladder[-1]
    lost = [
        trace
        for trace in games
        if trace.winner is not None and trace.seats[trace.winner] != str(sample.level)
    ]
    return [extreme(lost, lambda trace: trace.plies, f"Level {sample.level} loses")] if lost else []
