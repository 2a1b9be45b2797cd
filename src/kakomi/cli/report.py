"""`kakomi report`: what is known about a game, on one page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import SEED, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import opened, worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.study.report.report import Report

FORMATS = ("html", "md", "json", "pdf")


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi report rive                              ten minutes of games, then rive-size4.html
  kakomi report rings --size 3 --players 3 --budget 2m
  kakomi report lin --size 9 --budget 2h --out lin.html
  kakomi report ren --compare lead=0,6            with another rule beside it
  kakomi report --games games/                    of records and matches of your own
  kakomi report rin --size 8 --format json --out -
\b
The page needs nothing from the network: charts, boards and games to play through are in it. The same
command with the same seed and budget makes the same page, byte by byte. Ctrl-C makes it of the games
that are there; the same command goes on. docs/reports.md defines every number.
""",
)
@click.argument("name", metavar="GAME", required=False)
@general_option
@click.option(
    "--budget",
    "budget_text",
    default="10m",
    show_default=True,
    metavar="TIME",
    help="90s, 10m or 2h on two cores; it decides how many games are played.",
)
@click.option(
    "--games",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Play nothing: tell of the records and files of matches in this folder.",
)
@click.option(
    "--compare", metavar="OPTION=N,N", help="Other values of an option beside it; shares the budget."
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="Default what --out ends in, or html.")
@click.option("--out", metavar="FILE", help="Default the game with its options, here; - for standard output.")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for finished games; default reports in the state folder.",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of all games.")
@worker_options("Games")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str | None,
    budget_text: str,
    folder: Path | None,
    compare: str | None,
    form: str | None,
    out: str | None,
    keep: Path | None,
    seed: int,
    jobs: int | None,
    ray: str | None,
) -> None:
    """Tell what is known about GAME: how fair, long, deep, dramatic it is, every number with its interval.

    Plays GAME by bots of many strengths, as many games as the budget allows, and makes one page of them.
    """
    from kakomi.cli.reporting.output import check_output, out_path, write

    game = chosen_game(ctx, name) if name else None
    if game is None and folder is None:
        raise click.UsageError("name a GAME to play, or a folder of games with --games", ctx)
    if folder and compare:
        raise click.UsageError("--compare plays games, and --games does not: give one of the two", ctx)
    chosen = _format(ctx, form, out)
    check_output(chosen, out)
    if folder:
        report = _of_folder(folder, game, seed)
    else:
        assert game
        report = _of_play(ctx, game, budget_text, compare, keep, seed, (jobs, ray))
    write(report, chosen, out_path(report, chosen, out))


def _format(ctx: click.Context, form: str | None, out: str | None) -> str:
    ending = Path(out).suffix.removeprefix(".").lower() if out else ""
    if form:
        return form
    if ending and ending not in FORMATS:
        raise click.UsageError(
            f"--out {out}: its name ends in .{', .'.join(FORMATS)}, or --format says which", ctx
        )
    return ending or "html"


def _of_folder(folder: Path, game: "Game | None", seed: int) -> "Report":
    from kakomi.cli.reporting.command_line import command_line
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.report.own_games import NoGames, study_of_folder
    from kakomi.study.report.report import Origin, Report

    with announced_compiling(), patient_progress("Reading games") as tell:
        try:
            study = study_of_folder(folder, game, seed, lambda done, of: tell(done / of, f"{done} of {of}"))
        except NoGames as error:
            raise click.ClickException(str(error)) from None
        report = Report(study, Origin(command_line(game, games="FOLDER"), seed))
        len(report.sections)
    return report


def _of_play(
    ctx: click.Context,
    game: "Game",
    budget_text: str,
    compare: str | None,
    keep: Path | None,
    seed: int,
    workers: tuple[int | None, str | None],
) -> "Report":
    from kakomi.cli.reporting.play import Order, played_report
    from kakomi.cli.reporting.variants import variants
    from kakomi.study.report.budget import parse_budget

    try:
        order = Order(game, variants(game, compare), parse_budget(budget_text), compare or "", seed, keep)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    with opened(*workers) as farm:
        return played_report(order, farm)
