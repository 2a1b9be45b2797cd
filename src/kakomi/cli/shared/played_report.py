"""Playing games for a report, making the report, and the command that reproduces it."""

import time
from dataclasses import dataclass
from pathlib import Path

import click

from kakomi.cli.shared.output import Tell as ShownTell
from kakomi.cli.shared.output import announced_compiling, patient_progress
from kakomi.core import Game
from kakomi.core.system import state_folder
from kakomi.farm import Farm, FarmError
from kakomi.study.matches import GameLogError
from kakomi.study.report.games import Sampled, Tell, more_in_words, sample, study_of
from kakomi.study.report.plan import Plan, budget_in_words, plan_for
from kakomi.study.report.report import Origin, Report
from kakomi.study.report.statistics.known import comparison
from kakomi.study.report.study import Study
from kakomi.study.studies import kept_chapters

MOST = 8
"""The most values that are compared."""


@dataclass(frozen=True)
class Order:
    """The games to play for a report."""

    game: Game
    others: list[Game]
    """The game with other options, for comparison."""
    seconds: float
    compare: str
    seed: int
    keep: Path | None
    studies: Path | None = None
    """The folder of studies of the game, which become chapters."""


def played_report(order: Order, farm: Farm) -> Report:
    """Play an order and make its report. Raises ClickException and OSError."""
    share = order.seconds / (1 + len(order.others))
    with announced_compiling("rules and bots"):
        plans = [plan_for(game, share, order.seed) for game in (order.game, *order.others)]
    samples = []
    for plan in plans:
        samples.append(_sampled(plan, farm, order.keep or state_folder() / "reports"))
        if not samples[-1].is_complete:
            break
    if not samples[0].finished:
        raise KeyboardInterrupt
    studies = [study for study in map(_study, samples) if study.strengths]
    chapters = kept_chapters(order.studies, order.game) if order.studies else ()
    compared = comparison(studies)
    extra = (compared, *chapters) if compared else tuple(chapters)
    return Report(studies[0], _origin(order, samples, studies[0]), extra)


def _sampled(plan: Plan, farm: Farm, folder: Path) -> Sampled:
    try:
        with announced_compiling("rules and bots"), patient_progress(f"Playing {plan.game.name}") as tell:
            return sample(plan, farm, folder, _progress(tell))
    except (FarmError, GameLogError) as error:
        raise click.ClickException(str(error)) from None


def _progress(tell: ShownTell) -> Tell:
    """Return a callback that shows how many games are finished, and an estimate of the time left."""
    started, kept = time.monotonic(), [0]

    def told(done: int, of: int) -> None:
        passed = time.monotonic() - started
        if passed < 0.5:
            kept[0] = done  # from an earlier run
        played = done - kept[0]
        left = f" · {_clock(passed / played * (of - done))} left" if played > 0 else ""
        tell(done / max(1, of), f"{done} of {of} games{left}; Ctrl-C makes the report now")

    return told


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _study(sampled: Sampled) -> Study:
    with patient_progress("Looking at games") as tell:
        return study_of(sampled, lambda done, of: tell(done / of, f"{done} of {of}"))


def _origin(order: Order, samples: list[Sampled], study: Study) -> Origin:
    budget = budget_in_words(order.seconds)
    command = command_line(order.game, budget=budget, compare=order.compare, seed=order.seed)
    planned = samples[0].plan.games
    share = order.seconds / (1 + len(order.others))
    more = more_in_words(study, samples[0], share, order.seconds)
    return Origin(command, order.seed, budget, planned, samples[0].is_complete, more)


def variants(game: Game, text: str | None) -> list[Game]:
    """Return the game with each value, leaving out the game itself. Raises ValueError, saying what is
    expected."""
    if not text:
        return []
    name, equals, values = text.partition("=")
    name = name.strip().replace("-", "_")
    given = [value.strip() for value in values.split(",") if value.strip()]
    if not equals or not given or len(given) > MOST:
        raise ValueError(
            f"--compare {text!r} should be an option and its values, at most {MOST}, such as size=7,9"
        )
    free = {option: value for option, value in game.options.items() if not _depends(game, option, name)}
    found = [Game(game.description, {**free, name: value}) for value in given]
    return [other for place, other in enumerate(found) if other != game and other not in found[:place]]


def _depends(game: Game, option: str, on: str) -> bool:
    """Return whether an option's default may depend on an earlier one, which is going to change."""
    options = list(game.description.options)
    names = [each.name for each in options]
    return (
        on in names
        and names.index(option) > names.index(on)
        and callable(options[names.index(option)].default)
    )


def command_line(game: Game | None, **options: object) -> str:
    """Return a command such as `kakomi report rive --size 4 --budget 10m`, without empty options."""
    chosen = {
        **(game.options if game else {}),
        **{name: value for name, value in options.items() if value != ""},
    }
    words = [f"--{name.replace('_', '-')} {value}" for name, value in chosen.items()]
    return " ".join(["kakomi report", *([game.name] if game else []), *words])
