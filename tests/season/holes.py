"""Events that are missing from a season, since an audit can't find faults in what never happened."""

from collections.abc import Iterator, Mapping

from season.course import Plan

ENOUGH_DAYS, ENOUGH_LOOKS = 7, 700
"""In a season with at least so many days and visits, every expected event happens."""
EXPECTED = (
    "finished",
    "flags",
    "acts by mail",
    "confirmed",
    "messages",
    "reports",
    "entries of staff",
    "rounds",
    "tournaments over",
)
"""Names of the figures that must not be zero."""


def holes(plan: Plan, figures: Mapping[str, int]) -> Iterator[str]:
    """Yield the expected events that never happened."""
    looks = plan.people * plan.looks * plan.days
    if plan.days >= ENOUGH_DAYS * plan.slowness and looks >= ENOUGH_LOOKS:
        yield from (f"there were no {name} in all the time" for name in EXPECTED if not figures.get(name))
