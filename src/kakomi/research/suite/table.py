"""Results of one track as a table in Markdown."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

from kakomi.research.suite.meetings import track_score
from kakomi.research.suite.result import Answers, Interval, Result


def table(results: Sequence[Result]) -> str:
    """A table with a row for each result, best first, and 95 % intervals.

    Raises ValueError for results that can't be compared: of several tracks, or with other rules or opponents.
    """
    if not results:
        raise ValueError("a table needs at least one result")
    _check_comparable(results)
    rows = sorted(results, key=lambda result: (result.is_complete, result.score.value), reverse=True)
    # Whole results come first, and have their tasks in the track's order.
    tasks = list(dict.fromkeys(task for result in rows for task in result.tasks))
    exact = bool(results[0].answers)
    whole = ["optimal actions", "result kept", "points lost"] if exact else ["score"]
    head = ["agent", *whole, "over seeds", *tasks, "learned from"]
    lines = [head, ["---"] * len(head), *(_row(result, tasks, exact) for result in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _check_comparable(results: Sequence[Result]) -> None:
    first = results[0]
    for other in results[1:]:
        for name, told in (("track", "tracks"), ("track_hash", "definitions of the track")):
            if getattr(other, name) != getattr(first, name):
                raise ValueError(f"{first.name} and {other.name} are of different {told}")
        if other.opponents_hash != first.opponents_hash or other.positions_hash != first.positions_hash:
            raise ValueError(f"{first.name} and {other.name} met different opponents or positions")
        for task in set(first.rules) & set(other.rules):
            if first.rules[task] != other.rules[task]:
                raise ValueError(f"{first.name} and {other.name} played {task} by different rules")


def _row(result: Result, tasks: Sequence[str], exact: bool) -> list[str]:
    count = len(result.tasks)
    part = f"{count} task{'s' * (count != 1)} only"
    whole = [percent(result.score) if result.is_complete else part]
    if exact:
        whole += _of_answers(result.answers) if result.is_complete else ["–", "–"]
    spread = f"± {stdev(result.by_seed) * 100:.1f}" if result.seeds > 1 else "–"
    learned = "–" if result.training_actions is None else f"{result.training_actions:,} actions"
    return [f"`{result.name}`", *whole, spread, *(_of_task(result, task) for task in tasks), learned]


def _of_answers(answers: Sequence[Answers]) -> list[str]:
    """How often the result was kept, and how many points were lost."""
    kept, lost = (mean_of([getattr(one, name) for one in answers]) for name in ("kept", "regret"))
    return [percent(kept), f"{lost.value:.2f} ({lost.low:.2f}–{lost.high:.2f})"]


def mean_of(parts: Sequence[Interval]) -> Interval:
    """The mean of figures that don't depend on each other, with an interval from theirs.

    Each of its ends is as far from the mean as those of the parts make it (the method of variance estimates
    recovery: Zou and Donner, 2008).
    """
    mean = fmean(part.value for part in parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Interval(mean, mean - below, mean + above, sum(part.count for part in parts))


def _of_task(result: Result, task: str) -> str:
    for answers in result.answers:
        if answers.task == task:
            return percent(answers.optimal)
    found = [cell for cell in result.cells if cell.task == task]
    return percent(track_score(found)) if found else "–"


def percent(interval: Interval) -> str:
    """A share with its interval, such as `61.2 % (55–67)`."""
    return f"{interval.value * 100:.1f} % ({interval.low * 100:.0f}–{interval.high * 100:.0f})"
