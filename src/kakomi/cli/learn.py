"""`kakomi learn` trains a network or patterns, `kakomi distil` fits patterns to the games of a run."""

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from kakomi.cli.shared.output import announced_compiling, patient_progress, telling_what_is_kept
from kakomi.cli.shared.parameters import FiniteRange, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.learn.distillation import Fit
    from kakomi.learn.games import TrainingGame
    from kakomi.learn.plan import Plan


_INSTEAD = {
    "--patterns": ("--from", "--mix", "--channels", "--blocks", "--visits", "--rivals"),
    "--from": ("--zero", "--teacher", "--teacher-games", "--channels", "--blocks"),
    "--zero": ("--teacher", "--teacher-games"),
}
"""Options that leave no use for others."""


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi learn rive --hours 2                 into the folder learned-rive
  kakomi learn rive --hours 2                 again: goes on for two hours more
  kakomi learn lin --size 9 --size-too 7      on two boards, as often each
  kakomi learn rings --size 3 --players-too 3 --players-too 4   for two, three and four players
  kakomi learn ren --zero --out zero          from self-play alone
  kakomi learn ren --zero --visits 100 --rounds 10   the same, as AlphaZero does, until the tenth checkpoint
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
@click.option(
    "--rounds", type=click.IntRange(1, 100_000), help="To end once there are so many checkpoints, if earlier."
)
@click.option("--no-matches", is_flag=True, help="Let no checkpoint play against levels meanwhile.")
@click.option("--patterns", is_flag=True, help="Fit patterns, which need no network; two players.")
@click.option(
    "--teacher",
    type=click.Choice(["search", "patterns"]),
    help="Whose games a run begins with; default the patterns that come with the game, else the search.",
)
@click.option(
    "--teacher-games",
    type=click.IntRange(1, 1_000_000),
    help="So many of these; default 2000. Fewer are enough on boards where games take long.",
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
@click.option(
    "--players-too",
    type=int,
    multiple=True,
    metavar="N",
    help="The first board with another number of players too; may be repeated.",
)
@click.option(
    "--mix",
    type=FiniteRange(0, 1),
    default=1.0,
    show_default=True,
    help="The network's share in the values of its own games; the rest is playouts'.",
)
@click.option(
    "--visits",
    type=click.IntRange(2, 1_000_000),
    metavar="N",
    help="Search every turn of its own games by N simulations and learn their visits, as AlphaZero does; "
    "default sequential halving of 48.",
)
@click.option(
    "--rivals",
    type=FiniteRange(0, 1),
    default=0.15,
    show_default=True,
    help="The part of its own games in which one seat is an earlier checkpoint's or, in a third of these, "
    "a level's, that nobody advises and that searches for up to 3,000 simulations.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=1,
    show_default=True,
    help="Of games, weights and batches.",
)
@click.option(
    "--channels", type=click.IntRange(4, 512), default=32, show_default=True, help="Of the network."
)
@click.option("--blocks", type=click.IntRange(1, 40), default=3, show_default=True, help="Of the network.")
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
    """Train a network for GAME that advises the search, from games of a teacher and of itself.

    Rounds of self-play and of training take turns. Each ends with a network, which plays as
    net:FOLDER/checkpoints/0012.npz in `kakomi match`; or, with --patterns, with a table, which plays as
    patterns:FOLDER/checkpoints/0012.npz, needs no network and is fitted in minutes.
    """
    _check_use(ctx)
    from kakomi.cli.learning import Extent, go_on
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
        extent = Extent(hours, rounds, has_matches=not no_matches)
        go_on(out or Path(f"learned-{plan.game}"), plan, extent, jobs, ray)
    except KeyboardInterrupt:
        click.echo("kakomi: stopped; the same command goes on", err=True)
        raise


def _check_use(ctx: click.Context) -> None:
    """Refuse an option that another one leaves without use."""
    given = {
        option
        for parameter in ctx.command.params
        for option in parameter.opts
        if ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    }
    for option, useless in _INSTEAD.items():
        for other in useless:
            if option in given and other in given:
                raise click.UsageError(f"{other} is of no use with {option}; leave one of them out", ctx)


def _continued(ctx: click.Context, plan: "Plan", origin: Path) -> "Plan":
    from kakomi.learn.plan import PlanError, continued

    try:
        return continued(plan, origin)
    except PlanError as error:
        raise click.UsageError(f"--from: {error}", ctx) from None


def _others(ctx: click.Context, option: str, name: str, boards: "list[dict[str, int]]") -> "list[Game]":
    """The game with each of these options, which an option of the command stands for."""
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
def distil(folder: Path, out: Path | None, board: int, seed: int) -> None:
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
