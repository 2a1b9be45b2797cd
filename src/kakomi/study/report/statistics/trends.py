"""How the numbers of a game change with the strength of its players, and where that leads."""

from kakomi.study.report.content import Cell, Number, Section, Table
from kakomi.study.report.estimates import Estimate, clipped, holm, p_value
from kakomi.study.report.statistics.measures import Measure, measures_of
from kakomi.study.report.strength import elo_by_level, trend_of
from kakomi.study.report.study import Study
from kakomi.study.report.trend import BEYOND, Trend

REAL = 0.05
WHO = "levels, by the trend"


def trends(study: Study) -> Section | None:
    """The trend of every measure over the Elo points of the levels; None from too few levels."""
    ratings = elo_by_level(study)
    found = [
        (measure, trend) for measure in measures_of(study.game) if (trend := trend_of(study, measure[2]))
    ]
    if not found:
        return None
    corrected = holm([p_value(trend.slope_estimate, 0.0) for _, trend in found])
    real = [measure[0] for (measure, _), chance in zip(found, corrected, strict=True) if chance < REAL]
    rows = tuple(
        _row(measure, trend, chance) for (measure, trend), chance in zip(found, corrected, strict=True)
    )
    columns = (
        "number",
        "at the lowest level",
        "at the highest",
        f"change over {BEYOND} Elo",
        f"{BEYOND} Elo on",
        "so",
    )
    return Section(
        key="trends",
        title="Trends over strength",
        group="skill",
        finding=f"With strength these change beyond chance: {', '.join(real)}."
        if real
        else "Nothing here changes with strength beyond chance.",
        means="Straight lines through the numbers of all levels, over the Elo points that the levels have "
        f"in this report (level {max(ratings)} has {ratings[max(ratings)].value:.0f} more than level 1), "
        f"and the bands of these lines {BEYOND} points beyond the strongest player.",
        not_means="A line is a guess about where things go: nothing was played beyond the highest level, "
        "and what bends is not seen by it. The band grows where levels scatter round the line.",
        figures=(
            Table(
                "Trends",
                columns,
                rows,
                "Whether a line rises or falls is corrected by Holm's method for all rows.",
            ),
        ),
    )


def _row(measure: Measure, trend: Trend, chance: float) -> tuple[Cell, ...]:
    label, unit, _ = measure

    def shown(one: Estimate) -> Cell:
        return Cell(number=Number(label, clipped(one) if unit == "percent" else one, unit, WHO))

    change = trend.slope_estimate.scaled(BEYOND * (100 if unit == "percent" else 1))
    return (
        Cell(label),
        shown(trend.at(trend.lowest)),
        shown(trend.at(trend.highest)),
        Cell(number=Number(label, change, "points" if unit == "percent" else unit, WHO)),
        shown(trend.at(trend.highest + BEYOND)),
        Cell(("rises" if trend.slope_estimate.value > 0 else "falls") if chance < REAL else "may be level"),
    )
