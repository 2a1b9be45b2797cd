"""`kakomi learn` trains a network or patterns."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from kakomi.cli.shared.parameters import FiniteRange, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.learn.plan import Plan


_EXCLUDES = {
    "--patterns": ("--from", "--mix", "--channels", "--blocks", "--visits", "--rivals"),
    "--from": ("--zero", "--teacher", "--teacher-games", "--channels", "--blocks"),
    "--zero": ("--teacher", "--teacher-games"),
}
"""Options, each with those that have no effect beside it."""


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi learn rive --hours 2                 into the folder learned-rive
  kakomi learn rive --hours 2                 again: two more hours
  kakomi learn lin --size 9 --size-too 7      on two boards
  kakomi learn rings --size 3 --players-too 3 --players-too 4   for two, three and four players
  kakomi learn ren --zero --out zero          from self-play alone
  kakomi learn ren --zero --visits 100 --rounds 10   like AlphaZero, for ten rounds
  kakomi learn rive --size 5 --from network.npz   start from a network for another board
  kakomi learn ren --patterns --hours 0.5     patterns instead of a network
  kakomi learn rings --ray auto --hours 12    on a cluster (docs/farm.md)

The folder gets plan.json, games.jsonl (one game per line), learner.pt (of a network), checkpoints/ (one per
round) and progress.html, which shows the progress. Ctrl-C stops; the same command continues, and no finished
game is lost.
""",
)
@click.argument("name", metavar="GAME")
@general_option
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Output folder. [default: learned-GAME]"
)
@click.option(
    "--hours", type=FiniteRange(0.001, 10_000), default=2.0, show_default=True, help="Hours to train."
)
@click.option(
    "--rounds", type=click.IntRange(1, 100_000), help="Stop after N checkpoints, if that is earlier."
)
@click.option("--no-matches", is_flag=True, help="Don't test checkpoints against levels.")
@click.option("--patterns", is_flag=True, help="Train patterns instead of a network; for two players.")
@click.option(
    "--teacher",
    type=click.Choice(["search", "patterns"]),
    help="The bot that plays the first games. [default: the game's own patterns, or the search]",
)
@click.option(
    "--teacher-games",
    type=click.IntRange(1, 1_000_000),
    help="How many of these games. [default: 2000] Fewer are enough if games are long.",
)
@click.option(
    "--from",
    "origin",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Start from this network (.npz), without a teacher.",
)
@click.option("--zero", is_flag=True, help="Start from nothing, without a teacher.")
@click.option(
    "--size-too", "others", type=int, multiple=True, metavar="N", help="Also train on this size; repeatable."
)
@click.option(
    "--players-too",
    type=int,
    multiple=True,
    metavar="N",
    help="Also train with this number of players on the first board; repeatable.",
)
@click.option(
    "--mix",
    type=FiniteRange(0, 1),
    default=1.0,
    show_default=True,
    help="Weight of the network's values in self-play; the rest comes from playouts.",
)
@click.option(
    "--visits",
    type=click.IntRange(2, 1_000_000),
    metavar="N",
    help="Simulations per turn of self-play, whose visits are learned, as in AlphaZero. "
    "[default: sequential halving of 48]",
)
@click.option(
    "--rivals",
    type=FiniteRange(0, 1),
    default=0.15,
    show_default=True,
    help="Share of self-play games against a rival: an earlier checkpoint or, in a third of them, a level "
    "without adviser, with up to 3,000 simulations.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Random seed.")
@click.option(
    "--channels", type=click.IntRange(4, 512), default=32, show_default=True, help="Network channels."
)
@click.option("--blocks", type=click.IntRange(1, 40), default=3, show_default=True, help="Network blocks.")
@worker_options("Games")
@click.pass_context
def learn(
    ctx: click.Context,
    /,
    name: str,
    out: Path | None,
    hours: float,
    rounds: int | None,
    no_matches: bool,
    jobs: int | None,
    ray: str | None,
    others: tuple[int, ...],
    players_too: tuple[int, ...],
    patterns: bool,
    teacher: str | None,
    teacher_games: int | None,
    origin: Path | None,
    mix: float,
    zero: bool,
    visits: int | None,
    rivals: float,
    **settings: int,
) -> None:
    """Train a network or patterns that advise the search.

    Games of a teacher and self-play are learned in rounds. Each round ends with a network, which plays as
    net:FOLDER/checkpoints/0012.npz in `kakomi match`; or, with --patterns, with a table, which plays as
    patterns:FOLDER/checkpoints/0012.npz, needs no network and is fitted in minutes.
    """
    _check_use(ctx)
    from kakomi.cli.learning import TrainingLimits, train
    from kakomi.learn.plan import by_visits, with_rivals

    game = chosen_game(ctx, name)
    boards = [game, *_others(ctx, "--size-too", game.name, [{"size": size} for size in others])]
    crowds = [{**game.options, "players": count} for count in players_too]
    boards += _others(ctx, "--players-too", game.name, crowds)
    plan = _plan(boards, patterns, **settings)
    if not patterns:
        plan = with_rivals(replace(plan, how=replace(plan.how, mix=mix)), rivals, levels=not zero)
    if visits:
        plan = by_visits(plan, visits)
    if teacher:
        plan = replace(plan, teacher=teacher)
    if teacher_games:
        plan = replace(plan, teacher_games=teacher_games)
    if zero:
        plan = replace(plan, teacher_games=0)
    if origin:
        plan = _continued(ctx, plan, origin)
    try:
        limits = TrainingLimits(hours, rounds, has_matches=not no_matches)
        train(out or Path(f"learned-{plan.game}"), plan, limits, jobs, ray)
    except KeyboardInterrupt:
        click.echo("kakomi: stopped; run the same command to continue", err=True)
        raise


def _check_use(ctx: click.Context) -> None:
    """Reject options that have no effect beside another one. Raises UsageError."""
    given = {
        option
        for parameter in ctx.command.params
        for option in parameter.opts
        if ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    }
    for option, useless in _EXCLUDES.items():
        for other in useless:
            if option in given and other in given:
                raise click.UsageError(f"{other} has no effect with {option}; leave one of them out", ctx)


def _continued(ctx: click.Context, plan: "Plan", origin: Path) -> "Plan":
    from kakomi.learn.plan import PlanError, continued

    try:
        return continued(plan, origin)
    except PlanError as error:
        raise click.UsageError(f"--from: {error}", ctx) from None


def _others(ctx: click.Context, option: str, name: str, boards: "list[dict[str, int]]") -> "list[Game]":
    """Return the game on further boards, given with `option`. Raises UsageError, naming `option`."""
    from kakomi import catalog

    try:
        return [catalog.game(name, **options) for options in boards]
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}", ctx) from None


def _plan(games: "list[Game]", patterns: bool, *, seed: int, channels: int, blocks: int) -> "Plan":
    from kakomi.learn.plan import Plan, pattern_plan, teacher_of

    game, boards = games[0], tuple(dict(each.options) for each in games)
    if patterns:
        return pattern_plan(game.name, boards, seed)
    return Plan(game.name, boards, teacher=teacher_of(game), seed=seed, channels=channels, blocks=blocks)
