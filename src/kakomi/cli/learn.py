"""`kakomi learn`: train a network for a game, or fit patterns."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import SEED, FiniteRange, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.learn.plan import Plan


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi learn rive --hours 2                 into the folder learned-rive
  kakomi learn rive --hours 2                 again: goes on for two hours more
  kakomi learn lin --size 9 --size-too 7      on two boards, as often each
  kakomi learn ren --zero --out zero          from self-play alone
  kakomi learn rive --size 5 --from network.npz   one that knows other boards goes on with these
  kakomi learn ren --patterns --hours 0.5     patterns in the place of a network
  kakomi learn rings --ray auto --hours 12    on a cluster (docs/farm.md)
\b
The folder holds plan.json, games.jsonl (every game, a line each), learner.pt of a network, what was
learned in every round in checkpoints/, and progress.html, a page that shows how it goes. Ctrl-C stops;
the same command goes on, and no finished game is lost.
""",
)
@click.argument("name", metavar="GAME")
@general_option
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder; default learned-GAME, here."
)
@click.option(
    "--hours", type=FiniteRange(0.001, 10_000), default=2.0, show_default=True, help="To go on for."
)
@click.option("--patterns", is_flag=True, help="Fit patterns, which need no network; two players.")
@click.option(
    "--teacher",
    type=click.Choice(["search", "patterns"]),
    help="Whose games a run begins with; default the patterns that come with the game, else the search.",
)
@click.option(
    "--from",
    "origin",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Begin with this network (.npz), without a teacher.",
)
@click.option("--zero", is_flag=True, help="Begin without games of a teacher.")
@click.option(
    "--size-too", "others", type=int, multiple=True, metavar="N", help="Another board; may be repeated."
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of games, weights and batches.")
@click.option(
    "--channels", type=click.IntRange(4, 512), default=32, show_default=True, help="Of the network."
)
@click.option("--blocks", type=click.IntRange(1, 40), default=3, show_default=True, help="Of the network.")
@worker_options("Games")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str,
    out: Path | None,
    hours: float,
    jobs: int | None,
    ray: str | None,
    others: tuple[int, ...],
    patterns: bool,
    teacher: str | None,
    origin: Path | None,
    zero: bool,
    **settings: int,
) -> None:
    """Train a network for GAME that advises the search, from games of a teacher and of itself.

    Rounds of self-play and of training take turns. Each ends with a network, which plays as
    net:FOLDER/checkpoints/0012.npz in `kakomi match`; or, with --patterns, with a table, which plays as
    patterns:FOLDER/checkpoints/0012.npz, needs no network and is fitted in minutes.
    """
    from kakomi.cli.learning.course import go_on

    plan = _plan(chosen_game(ctx, name), _others(ctx, name, others), patterns, **settings)
    if teacher:
        plan = replace(plan, teacher=teacher)
    if zero:
        plan = replace(plan, teacher_games=0)
    if origin:
        plan = _continued(ctx, plan, origin)
    try:
        go_on(out or Path(f"learned-{plan.game}"), plan, hours, jobs, ray)
    except KeyboardInterrupt:
        click.echo("kakomi: stopped; the same command goes on", err=True)
        raise


def _continued(ctx: click.Context, plan: "Plan", origin: Path) -> "Plan":
    from kakomi.learn.plan import PlanError, continued

    try:
        return continued(plan, origin)
    except PlanError as error:
        raise click.UsageError(f"--from: {error}", ctx) from None


def _others(ctx: click.Context, name: str, sizes: tuple[int, ...]) -> "list[Game]":
    from kakomi import catalog

    try:
        return [catalog.game(name.lower(), size=size) for size in sizes]
    except ValueError as error:
        raise click.UsageError(f"--size-too: {error}", ctx) from None


def _plan(
    game: "Game", others: "list[Game]", patterns: bool, *, seed: int, channels: int, blocks: int
) -> "Plan":
    from kakomi.learn.plan import Plan, pattern_plan, teacher_of

    boards = tuple(dict(board.options) for board in (game, *others))
    if patterns:
        return pattern_plan(game.name, boards, seed)
    return Plan(game.name, boards, teacher=teacher_of(game), seed=seed, channels=channels, blocks=blocks)
