"""The games of a plan played on a farm, kept in a file, and taken up again where an earlier run stopped."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kakomi
from kakomi.core import Game
from kakomi.core.level_config import LEVELS
from kakomi.farm import Farm
from kakomi.study.report.plan import Plan, Sample, budget_in_words, plan_for
from kakomi.study.report.study import Study, share_of
from kakomi.study.report.trace import Trace, trace_of
from kakomi.study.tournament import GameLog, Played, play_games

Tell = Callable[[int, int], None]
"""Called with the games that are finished, and with all of them."""


@dataclass(frozen=True)
class Sampled:
    """The games of a plan that are finished, by sample, each in the order of its schedule."""

    plan: Plan
    games: Mapping[Sample, list[Played]]

    @property
    def finished(self) -> int:
        """The number of games that are there."""
        return sum(map(len, self.games.values()))

    @property
    def is_complete(self) -> bool:
        """Whether all of the plan is there."""
        return self.finished == self.plan.games


def log_path(folder: Path, game: Game, seed: int) -> Path:
    """The file of a game's samples in a folder."""
    options = "".join(f"-{name}{value}" for name, value in game.options.items())
    return folder / f"{game.name}{options}-seed{seed}-v{kakomi.__version__}.jsonl"


def terms(game: Game, seed: int) -> dict[str, Any]:
    """What has to be equal for games to be taken up again; their number may grow."""
    version = kakomi.__version__
    return {"report": version, "game": game.name, "options": dict(game.options), "seed": seed}


def sample(plan: Plan, farm: Farm, folder: Path, tell: Tell) -> Sampled:
    """Play what the file in the folder lacks. Ctrl-C ends it early, with what is there.

    Raises GameLogError for a file of other terms, OSError for one that can't be written, FarmError as
    `play_games` does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = plan.in_order()
    found: dict[int, Played] = {}
    with GameLog(log_path(folder, plan.game, plan.seed), terms(plan.game, plan.seed)) as log:
        tell(0, len(wanted))
        with (
            contextlib.suppress(KeyboardInterrupt),
            contextlib.closing(play_games(wanted, farm, log=log, with_chances=True)) as games,
        ):
            for played in games:
                found[played.pairing.number] = played
                tell(len(found), len(wanted))
        found |= log.played  # what was written while the interrupt came
    return Sampled(plan, _by_sample(plan, found))


def study_of(sampled: Sampled, tell: Tell = lambda done, of: None) -> Study:
    """The study of the games that are there."""
    found: dict[Sample, list[Trace]] = {}
    done = 0
    for one, games in sampled.games.items():
        found[one] = []
        for played in games:
            found[one].append(trace_of(played, sampled.plan.game, one.key))
            done += 1
            tell(done, sampled.finished)
    return Study(sampled.plan.game, sampled.plan.seed, found)


def _by_sample(plan: Plan, found: Mapping[int, Played]) -> dict[Sample, list[Played]]:
    return {
        sample: [found[pairing.number] for pairing in pairings if pairing.number in found]
        for sample, pairings in plan.pairings.items()
    }


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
