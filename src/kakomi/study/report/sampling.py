"""The games of a plan played on a farm, kept in a file, and taken up again where an earlier run stopped."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kakomi
from kakomi.core import Game
from kakomi.farm import Farm
from kakomi.study.report.plan import Plan, Sample
from kakomi.study.report.study import Study
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
