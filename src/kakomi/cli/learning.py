"""The course of a run of learning, as a person reads it in the terminal."""

import math
import os
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import click

from kakomi.cli.learning_progress import UNITS, Judge, progress_page
from kakomi.cli.shared.output import Tell, announced_compiling, patient_progress
from kakomi.cli.shared.workers import opened
from kakomi.core.system import replace_file
from kakomi.farm import Farm, WorkFailed
from kakomi.learn.games import GameLogError
from kakomi.learn.plan import Plan, PlanError
from kakomi.learn.run import LearningRun, Progress

PAGE = "progress.html"
"""The page of a run, in its folder."""
REPORT_EVERY = 30.0
"""Seconds between one line about what is going on and the next, where no bar shows it."""


@dataclass(frozen=True)
class Extent:
    """How far to go."""

    hours: float
    rounds: int | None = None
    """Checkpoints after which a run ends, if that is earlier."""
    has_matches: bool = True
    """Whether checkpoints play against levels."""


def go_on(folder: Path, plan: Plan, extent: Extent, jobs: int | None, ray: str | None) -> None:
    """Begin a run, or go on with it. Raises ClickException for what can't be."""
    ends, rounds = time.monotonic() + extent.hours * 3600, extent.rounds or math.inf
    try:
        with announced_compiling("rules and search"):
            run = LearningRun(folder, plan)
        if run.notice:
            click.echo(f"kakomi: {run.notice}", err=True)
        with (
            run,
            opened(jobs, ray) as farm,
            patient_progress("Learning") as show,
            _Course(run, farm, ends, show, has_matches=extent.has_matches) as course,
        ):
            run.go(farm, lambda: time.monotonic() < ends and run.round < rounds, course.tell)
            course.judge_last()
    except (PlanError, GameLogError, WorkFailed, ValueError) as error:
        raise click.ClickException(str(error)) from None
    if not run.checkpoints:
        click.echo(f"{folder}: nothing is learned yet; the same command goes on")
        return
    click.echo(f"{folder}: {run.round} checkpoints, the last one is {run.checkpoints[-1]}")
    click.echo(f"{folder / PAGE}: how it went")


class _Course:
    """Tells how far a run is: in a bar, or in a line now and then, and in a line for every round."""

    def __init__(self, run: LearningRun, farm: Farm, ends: float, show: Tell, *, has_matches: bool) -> None:
        self._run, self._farm, self._ends, self._show = run, farm, ends, show
        self._has_matches = has_matches
        self._judge = Judge(run.folder, run.boards[0], run.plan)
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
        """Show the progress; a line once a checkpoint is made."""
        self._show(progress.part, f"round {progress.round + 1}, {progress.doing}")
        self._doing = (
            f"{progress.doing} {100 * progress.part:.0f} %: "
            f"{progress.games:,} games, {progress.rows:,} rows, {progress.steps:,} steps"
        )
        if progress.round > self._told:
            click.echo(self._line(progress))
            self._told = progress.round
            if self._judge.is_due():
                self.judge_last()
            self._draw()
            self._doing = "games"

    def judge_last(self) -> None:
        """Have the last checkpoint play against a level, unless it has or none is to play."""
        if not self._has_matches:
            return
        checkpoints, verdicts = self._run.checkpoints, self._judge.verdicts
        if checkpoints and not (verdicts and verdicts[-1].network == checkpoints[-1].stem):
            self._doing = "a match against a level"
            self._show(0.0, self._doing)
            verdict = self._judge.judge(checkpoints[-1], self._farm)
            click.echo(verdict)
            self._judge.keep(verdict)
            self._draw()

    def _draw(self) -> None:
        """Write the page of the run anew."""
        run = self._run
        page = progress_page(run.plan, run.boards, run.rounds, self._judge.verdicts)
        replace_file(run.folder / PAGE, page.encode())

    def _line(self, progress: Progress) -> str:
        losses = "  ".join(f"{head} {progress.losses[head]:.3f}" for head in UNITS if head in progress.losses)
        return (
            f"round {progress.round:<4} {progress.games:>7,} games  {progress.rows:>9,} rows  {losses}"
            f"  {self._left()}"
        )
