"""What a season should have had and has not: an audit that has seen nothing finds nothing."""

from collections.abc import Iterator, Mapping

from season.course import Plan

ENOUGH_DAYS, ENOUGH_LOOKS = 7, 700
"""With so many days, and so often that people look in, each of these has happened."""
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
"""Names of figures."""


def holes(plan: Plan, figures: Mapping[str, int]) -> Iterator[str]:
    """What hasn't happened."""
    looks = plan.people * plan.looks * plan.days
    if plan.days >= ENOUGH_DAYS * plan.slowness and looks >= ENOUGH_LOOKS:
        yield from (f"there were no {name} in all the time" for name in EXPECTED if not figures.get(name))
