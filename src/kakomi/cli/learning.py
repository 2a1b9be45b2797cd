"""Running `kakomi learn` in the terminal, with its progress."""

import math
import os
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import click

from kakomi.cli.learning_progress import UNITS, StrengthTester, progress_page
from kakomi.cli.shared.output import Tell, announced_compiling, patient_progress
from kakomi.cli.shared.workers import open_farm_from_options
from kakomi.core.system import replace_file
from kakomi.farm import Farm, WorkFailed
from kakomi.learn.games import GameLogError
from kakomi.learn.plan import Plan, PlanError
from kakomi.learn.run import LearningRun, Progress

PAGE = "progress.html"
"""The name of a run's page, in its folder."""
REPORT_EVERY = 30.0
"""Seconds between lines about the progress, where no bar shows it."""


@dataclass(frozen=True)
class TrainingLimits:
    """How long to train, and whether to measure strength."""

    hours: float
    rounds: int | None = None
    """The number of checkpoints after which a run ends, if that is earlier."""
    has_matches: bool = True
    """Whether checkpoints play against levels."""


def train(folder: Path, plan: Plan, limits: TrainingLimits, jobs: int | None, ray: str | None) -> None:
    """Begin or resume a run. Raises ClickException if that is impossible."""
    ends, rounds = time.monotonic() + limits.hours * 3600, limits.rounds or math.inf
    try:
        with announced_compiling("rules and search"):
            run = LearningRun(folder, plan)
        if run.notice:
            click.echo(f"kakomi: {run.notice}", err=True)
        with (
            run,
            open_farm_from_options(jobs, ray) as farm,
            patient_progress("Learning") as show,
            ProgressReporter(run, farm, ends, show, has_matches=limits.has_matches) as reporter,
        ):
            run.go(farm, lambda: time.monotonic() < ends and run.round < rounds, reporter.tell)
            reporter.test_last_checkpoint()
    except (PlanError, GameLogError, WorkFailed, ValueError) as error:
        raise click.ClickException(str(error)) from None
    if not run.checkpoints:
        click.echo(f"{folder}: nothing learned yet; run the same command to continue")
        return
    click.echo(f"{folder}: {run.round} checkpoints, the last one is {run.checkpoints[-1]}")
    click.echo(f"{folder / PAGE}: how it went")


class ProgressReporter:
    """Shows the progress of a run: in a bar or in occasional lines, and in a line for every round."""

    def __init__(self, run: LearningRun, farm: Farm, ends: float, show: Tell, *, has_matches: bool) -> None:
        self._run, self._farm, self._ends, self._show = run, farm, ends, show
        self._has_matches = has_matches
        self._tester = StrengthTester(run.folder, run.boards[0], run.plan)
        self._told = run.round
        self._doing = "games"
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        has_bar = sys.stdout.isatty() and sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        if not has_bar:
            threading.Thread(target=self._report, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()

    def _report(self) -> None:
        while not self._is_over.wait(REPORT_EVERY):
            click.echo(f"round {self._run.round + 1}, {self._doing}  {self._left()}")

    def _left(self) -> str:
        left = max(0, int(self._ends - time.monotonic()))
        return f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"

    def tell(self, progress: Progress) -> None:
        """Show the progress, with a line for each new checkpoint."""
        self._show(progress.part, f"round {progress.round + 1}, {progress.doing}")
        self._doing = (
            f"{progress.doing} {100 * progress.part:.0f} %: "
            f"{progress.games:,} games, {progress.rows:,} rows, {progress.steps:,} steps"
        )
        if progress.round > self._told:
            click.echo(self._line(progress))
            self._told = progress.round
            if self._tester.is_due():
                self.test_last_checkpoint()
            self._draw()
            self._doing = "games"

    def test_last_checkpoint(self) -> None:
        """Let the last checkpoint play against a level, unless it already has or matches are off."""
        if not self._has_matches:
            return
        checkpoints, matches = self._run.checkpoints, self._tester.matches
        if checkpoints and not (matches and matches[-1].network == checkpoints[-1].stem):
            self._doing = "a match against a level"
            self._show(0.0, self._doing)
            match = self._tester.play_match(checkpoints[-1], self._farm)
            click.echo(match)
            self._tester.keep(match)
            self._draw()

    def _draw(self) -> None:
        """Rewrite the page of the run."""
        run = self._run
        page = progress_page(run.plan, run.boards, run.rounds, self._tester.matches)
        replace_file(run.folder / PAGE, page.encode())

    def _line(self, progress: Progress) -> str:
        losses = "  ".join(f"{head} {progress.losses[head]:.3f}" for head in UNITS if head in progress.losses)
        return (
            f"round {progress.round:<4} {progress.games:>7,} games  {progress.rows:>9,} rows  {losses}"
            f"  {self._left()}"
        )
