"""`kakomi distil`: patterns from the games of a run of learning."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.interrupts import telling_what_is_kept
from kakomi.cli.shared.output import announced_compiling, patient_progress

if TYPE_CHECKING:
    from kakomi.learn.distillation import Fit
    from kakomi.learn.games import TrainingGame


@click.command(
    epilog="""\b
Examples:
  kakomi distil learned-rive                      into learned-rive/patterns.npz
  kakomi distil learned-rive --out mine.npz
  kakomi match patterns:mine.npz,cpu=0.1 search:cpu=0.1 --game rive
"""
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Default FOLDER/patterns.npz.")
@click.option("--board", type=int, default=0, show_default=True, help="Which of the run's boards, from 0.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the order of positions.")
def command(folder: Path, out: Path | None, board: int, seed: int) -> None:
    """Fit patterns to the games of a run of `kakomi learn`.

    Patterns advise the search as networks do, but are tables: a search with them needs NumPy and Numba
    alone, and takes hardly longer than one without. One game of ten is held out, and tells how well the
    others were learned.
    """
    from kakomi.learn.distillation import distil
    from kakomi.learn.games import GameLogError

    try:
        chosen = _games_of(folder, board)
        with (
            telling_what_is_kept(),
            announced_compiling("rules"),
            patient_progress("Fitting patterns") as show,
        ):
            fit = _fitted(distil(chosen, seed), lambda part: show(part, f"{len(chosen):,} games"))
    except (GameLogError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    path = out or folder / "patterns.npz"
    click.echo(
        f"{path}: on {fit.rows:,} positions held out, policy {fit.policy:.3f} nats (equal shares "
        f"{fit.uniform:.3f}, at best {fit.entropy:.3f}), who wins {fit.value:.3f} (unknown 0.693)"
    )
    fit.table.save(path)


def _games_of(folder: Path, board: int) -> "list[TrainingGame]":
    """The games of a run that were played on one of its boards, and that there is something to learn from."""
    from kakomi import catalog
    from kakomi.learn.distillation import HELD_OUT
    from kakomi.learn.games import games_in

    log = folder / "games.jsonl"
    if not log.is_file():
        raise click.ClickException(f"{folder} holds no run of learning: there is no {log.name} in it")
    games = list(games_in(log, catalog.game))
    boards = list(dict.fromkeys(game.game for game in games))
    if not 0 <= board < len(boards):
        raise click.ClickException(f"{folder} has games of {len(boards)} boards; there is none {board}")
    chosen = [game for game in games if game.game == boards[board] and game.policies]
    if len(chosen) <= HELD_OUT:
        raise click.ClickException(f"{folder} has {len(chosen)} games to learn from; more are needed")
    return chosen


def _fitted(steps: "Generator[float, None, Fit]", tell: Callable[[float], None]) -> "Fit":
    """What a fit returns in the end."""
    while True:
        try:
            tell(next(steps))
        except StopIteration as end:
            fit: Fit = end.value
            return fit
