"""`kakomi match`: bots play against each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.parameters import SEED, FiniteRange, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import open_farm_from_options, worker_options

if TYPE_CHECKING:
    from kakomi.cli.matching import Contest
    from kakomi.farm import Farm
    from kakomi.study.matches import Sprt


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi match 3 4 --game rin --size 8 --games 100
  kakomi match time:0.05 simulations:500 --game lin --out lin.jsonl --records lin/
  kakomi match simulations:400 simulations:200 --game rive --sprt 0,50 --games 2000
  kakomi match 1 2 3 random --game ren --size 8 --games 40       everyone against everyone
  kakomi match 4 "cmd:./my-engine --fast" --game rin --patience 10
  kakomi match 9 10 --game ren --games 2000 --ray auto           on all cores of a Ray cluster

Bots are levels 1 to 10 or more, random, time:SECONDS or simulations:N; docs/matches.md lists them all. A
program that speaks the protocol of `kakomi engine` is cmd:PROGRAM ARGS; if it crashes, hangs or plays an
illegal action, it loses that game. Ctrl-C stops; with --out FILE the same command continues later.
""",
)
@click.argument("entrants", nargs=-1, required=True, metavar="A B [C]...")
@click.option(
    "--game", "name", required=True, metavar="GAME", help="The game; options can follow, such as --size 8."
)
@click.option(
    "--games",
    type=click.IntRange(1, 10**6),
    default=200,
    show_default=True,
    help="Games per pair of bots, rounded up so that every opening is played from every seat.",
)
@click.option(
    "--opening-plies", type=click.IntRange(0, 1000), help="Random actions first. [default: 2 per player]"
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")
@worker_options("Games")
@click.option(
    "--patience",
    type=FiniteRange(0.001, 86400),
    default=60.0,
    show_default=True,
    help="Seconds a program may take to answer before it loses.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Save the games in this file.")
@click.option(
    "--records", type=click.Path(file_okay=False, path_type=Path), help="Also save a file per game."
)
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when A is clearly ELO0 or ELO1 stronger than B.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@general_option
@click.pass_context
def match(
    ctx: click.Context,
    /,
    name: str,
    sprt: str | None,
    jobs: int | None,
    ray: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play bots against each other to compare their strength.

    Two bots get a score and an Elo difference, more than two get ratings, all with 95% intervals. Openings
    are random, and each is played from every seat. All games are saved in a file of JSON lines. Bots limited
    by simulations play the same games again with the same seed.
    """
    from kakomi.cli.matching import Contest

    game = chosen_game(ctx, name)
    try:
        contest = Contest(game, sprt=_sprt(ctx, sprt), **options)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    with open_farm_from_options(jobs, ray) as farm:
        _play(contest, farm)
    _report(contest, as_json)


def _sprt(ctx: click.Context, text: str | None) -> "Sprt | None":
    from kakomi.study.matches import Sprt

    if text is None:
        return None
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise click.UsageError(f"--sprt {text!r} should be two Elo differences, such as 0,50", ctx) from None
    try:
        return Sprt(elo0, elo1)
    except ValueError as error:
        raise click.UsageError(f"--sprt: {error}", ctx) from None


def _play(contest: "Contest", farm: "Farm") -> None:
    from kakomi.cli.shared.output import (
        announced_compiling,
        in_words,
        patient_progress,
        report_kept_on_interrupt,
    )
    from kakomi.farm import FarmError
    from kakomi.study.matches import GameLogError, MissingLibrary

    try:
        with (
            report_kept_on_interrupt(lambda: contest.kept_in_words),
            announced_compiling("rules and bots"),
            patient_progress("Playing") as tell,
        ):
            contest.play(farm, tell)
    except (FarmError, GameLogError, MissingLibrary) as error:
        raise click.ClickException(f"{error}; {contest.kept_in_words}") from None
    except OSError as error:
        raise click.ClickException(f"{in_words(error)}; {contest.kept_in_words}") from None


def _report(contest: "Contest", as_json: bool) -> None:
    from kakomi.cli import matching

    if as_json:
        import json

        click.echo(json.dumps(matching.as_object(contest), indent=2))
    else:
        matching.print_tables(contest)
