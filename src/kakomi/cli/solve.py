"""`kakomi solve`: the exact value of a position under best play."""

import json
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.output import INTERRUPTED, stopped_by_interrupt
from kakomi.cli.shared.parameters import (
    FiniteRange,
    GameCommand,
    chosen_game,
    chosen_position,
    from_option,
    general_option,
    position_option,
)

if TYPE_CHECKING:
    from kakomi.cli.shared.output import Tell
    from kakomi.core import Game, Position
    from kakomi.solve import Progress, Solver


UNFINISHED = 3
SAVE_SECONDS = 300.0
SHARE_OF_SAVING = 0.05
"""The most of the time, as a fraction, that is spent on saving."""


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi solve rin --size 4
  kakomi solve lin --size 5 --line 4 --memory 2000 --resume lin.work
  kakomi solve rive --size 3 --from "d3 c2" --seconds 60
  kakomi solve rive --size 2 --position "b1/3/2 w"
  kakomi solve lin --size 5 --line 3 --at-least -9
  kakomi solve rings --size 2 --players 3 --seat 2

Exit codes: 0 solved, 3 stopped by a limit. Ctrl-C stops and shows what is known so far.
""",
)
@click.argument("game")
@position_option
@from_option
@click.option(
    "--seat",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    show_default=True,
    help="Solve for the N-th player, against all others together.",
)
@click.option(
    "--memory",
    "memory_mb",
    type=FiniteRange(1, 200_000),
    metavar="MB",
    default=512,
    show_default=True,
    help="Memory for known positions; more is faster.",
)
@click.option("--at-least", type=int, metavar="N", help="Only find out whether the margin is at least N.")
@click.option("--seconds", type=FiniteRange(0), metavar="N", help="Stop after N seconds.")
@click.option(
    "--resume",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress in this file, and continue from it if it exists.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@general_option
@click.pass_context
def solve(
    ctx: click.Context,
    game: str,
    position_text: str | None,
    actions: str,
    seat: int,
    memory_mb: float,
    at_least: int | None,
    seconds: float | None,
    file: Path | None,
    as_json: bool,
) -> int:
    """Solve a small board or a late position exactly.

    Finds the result under best play and a line that leads to it. The value is a margin: the final score
    minus the best other player's. If time runs out, the bounds proved so far are shown. With more than two
    players it is what one player can force against all others together.
    """
    from kakomi.cli.shared.output import announced_compiling, patient_progress

    chosen = chosen_game(ctx, game)
    with announced_compiling("the solver"):
        position = chosen_position(ctx, chosen, position_text, actions)
        solver = _solver(ctx, position, seat, memory_mb)
        keeper = _Keeper(solver, file, seconds)
        keeper.load(ctx)
        with patient_progress("Solving") as tell:
            keeper.tell = tell
            line = keeper.work(at_least)
    result = _result(solver, line)
    if as_json:
        about = {"game": chosen.name, "options": dict(chosen.options), "from": actions.split()}
        about |= {} if position_text is None else {"position": position_text}
        click.echo(json.dumps({**about, **result}))
    else:
        click.echo("\n".join(_result_in_words(chosen, solver, result)))
    sys.stdout.flush()
    keeper.save()
    if keeper.is_stopped:
        kept = f"saved in {file}; run the same command to continue" if file else "nothing was saved"
        click.echo(f"kakomi: stopped; {kept}", err=True)
        return INTERRUPTED
    answered = solver.is_done or (at_least is not None and solver.bounds.answers(at_least))
    return 0 if answered else UNFINISHED


class _Keeper:
    """Runs a solver within its time limit and saves its work in a file."""

    def __init__(self, solver: "Solver", file: Path | None, limit: float | None) -> None:
        self._solver, self._file, self._limit = solver, file, limit
        self._started = self._saved = 0.0
        self._pause = SAVE_SECONDS
        self._stop = threading.Event()
        self.tell: Tell = lambda part, words: None

    def load(self, ctx: click.Context) -> None:
        """Load the work in the file, if it exists. Raises UsageError if it doesn't fit."""
        from kakomi.solve.checkpoint import load

        if self._file and self._file.exists():
            try:
                load(self._solver, self._file)
            except ValueError as error:
                raise click.UsageError(f"--resume: {error}", ctx) from None

    def work(self, at_least: int | None) -> list[int] | None:
        """Solve and return the line; None without one or after Ctrl-C. Compiling doesn't count as time."""
        self._solver.warm()
        self._started = self._saved = time.monotonic()
        with stopped_by_interrupt() as self._stop:
            if at_least is not None:
                self._solver.settle(at_least, self._goes_on)
                return None
            return self._solver.line(self._goes_on) if self._solver.run(self._goes_on) else None

    def _goes_on(self, progress: "Progress") -> bool:
        self.tell(progress.part, _words(progress))
        now = time.monotonic()
        if now - self._saved > self._pause:
            try:
                self.save()
            except OSError as error:  # the disk may have space again by the end
                click.echo(f"kakomi: can't save to {self._file} ({error.strerror})", err=True)
                self._saved = now
        return not self.is_stopped and (self._limit is None or now - self._started < self._limit)

    @property
    def is_stopped(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._stop.is_set()

    def save(self) -> None:
        """Write the file, if one was given. Raises OSError."""
        from kakomi.solve.checkpoint import save

        if self._file:
            began = time.monotonic()
            save(self._solver, self._file)
            self._saved = time.monotonic()
            self._pause = max(SAVE_SECONDS, (self._saved - began) / SHARE_OF_SAVING)


def _solver(ctx: click.Context, position: "Position", seat: int, memory_mb: float) -> "Solver":
    from kakomi.solve import Solver

    game = position.game
    if seat > game.players:
        raise click.UsageError(f"--seat {seat}: {game.name} has seats 1 to {game.players}", ctx)
    try:
        return Solver(position, seat - 1, memory_mb)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    except MemoryError:
        raise click.UsageError(f"--memory: {memory_mb:g} MB aren't available", ctx) from None


def _words(progress: "Progress") -> str:
    cut = "" if progress.cut is None else f" in {progress.cut} plies"
    return (
        f"at least {progress.threshold}{cut}? {progress.nodes / 1e6:,.1f} million positions, "
        f"table {progress.table_full:.0%} full"
    )


def _result(solver: "Solver", line: list[int] | None) -> dict[str, Any]:
    bounds, texts = solver.bounds, solver.position.game.action_texts
    done = solver.is_done
    return {
        "seat": solver.seat + 1,
        "value": bounds.lower if done else None,
        "lower": bounds.lower,
        "upper": bounds.upper,
        "outcome": bounds.outcome,
        "cut": solver.cut,
        "line": None if line is None else [texts[action] for action in line],
        "positions": solver.nodes,
        "seconds": round(solver.seconds, 3),
        "table_full": round(solver.table.part_in_use(), 4),
        "collision_odds": solver.collision_odds,
    }


def _result_in_words(game: "Game", solver: "Solver", result: dict[str, Any]) -> list[str]:
    """Return the result in words."""
    name = game.player_names[solver.seat]
    return [
        f"{name}: {_value_in_words(solver)}{_cut_in_words(solver)}",
        *([f"Line: {' '.join(result['line'])}"] if result["line"] is not None else []),
        f"{solver.nodes:,} positions in {solver.seconds:,.1f} s on one core; {_keys_in_words(solver)}",
    ]


def _value_in_words(solver: "Solver") -> str:
    bounds = solver.bounds
    if bounds.is_exact:
        return f"{bounds.outcome}, margin {bounds.lower:+d}"
    limits = [
        *([f"at least {bounds.lower:+d}"] if bounds.lower is not None else []),
        *([f"at most {bounds.upper:+d}"] if bounds.upper is not None else []),
    ]
    return f"{bounds.outcome}, margin {' and '.join(limits) or 'not bounded'}; not solved yet"


def _cut_in_words(solver: "Solver") -> str:
    if solver.cut is None:
        return ""
    counted = f" if play is cut off and counted after {solver.cut} plies"
    return counted if solver.cut == solver.last_cut else f"{counted}; the limit is {solver.last_cut}"


def _keys_in_words(solver: "Solver") -> str:
    if solver.space.keys.is_exact:
        return "no two positions share a key"
    return f"chance that two positions were taken for one: at most {solver.collision_odds:.0e}"
