"""How much more a larger budget would tell."""

from kakomi.core.level_config import LEVELS
from kakomi.study.report.budget import budget_in_words
from kakomi.study.report.plan import plan_for
from kakomi.study.report.sampling import Sampled
from kakomi.study.report.study import Study, share_of

LARGER = (3, 10, 30, 100, 300, 1000)
"""Times the budget, to look for one that reaches a higher level."""


def more_in_words(study: Study, sampled: Sampled, share: float, budget: float) -> str:
    """What the rest of the plan, four times the budget, and a budget for the next level would bring.
    `share` is the part of the budget that this game had, both in seconds."""
    own = share_of(study.games, lambda trace: trace.shares[0])
    if own is None or not own.has_interval:
        return ""
    width = 100 * own.half_width
    left = sampled.plan.games - sampled.finished
    told = [f"What the first seat wins is known to ± {width:.0f} points"]
    if left:
        told.append(f"; the same command plays the {left:,} games that are left")
    else:
        told.append(f"; {budget_in_words(4 * budget)} would bring ± {width / 2:.0f}")
    larger = _next_level(sampled, share)
    if larger:
        told.append(f", and {budget_in_words(larger * budget)} level {sampled.plan.top + 1}")
    return "".join(told) + "."


def _next_level(sampled: Sampled, share: float) -> int:
    """How many times the budget reaches a higher level; 0 if none of these does."""
    plan = sampled.plan
    if plan.top == LEVELS:
        return 0
    model = plan.model
    return next(
        (times for times in LARGER if plan_for(plan.game, times * share, plan.seed, model).top > plan.top), 0
    )
