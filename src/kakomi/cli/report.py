"""`kakomi report`: what is known about a game, on one page."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.output import telling_what_is_kept
from kakomi.cli.shared.parameters import SEED, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import opened, worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.study.report.report import Report


FORMATS = ("html", "md", "json", "pdf")
STANDARD_OUTPUT = "-"


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
command with the same seed and budget makes the same page, byte by byte, as long as `kakomi study` adds
nothing to what it has kept of the board, which is told in chapters of its own. Ctrl-C makes it of the
games that are there; the same command goes on. docs/reports.md defines every number.
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
def report(
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
    game = chosen_game(ctx, name) if name else None
    if game is None and folder is None:
        raise click.UsageError("name a GAME to play, or a folder of games with --games", ctx)
    if folder and compare:
        raise click.UsageError("--compare plays games, and --games does not: give one of the two", ctx)
    chosen = _format(ctx, form, out)
    _check_output(chosen, out)
    if folder:
        report = _of_folder(folder, game, seed)
    else:
        assert game
        report = _of_play(ctx, game, budget_text, compare, keep, seed, (jobs, ray))
    _write(report, chosen, _out_path(report, chosen, out))


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
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.cli.shared.played_report import command_line
    from kakomi.study.report.games import NoGames, study_of_folder
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
    from kakomi.cli.shared.played_report import Order, played_report, variants
    from kakomi.study.report.plan import parse_budget
    from kakomi.study.studies import default_folder

    try:
        seconds = parse_budget(budget_text)
        order = Order(game, variants(game, compare), seconds, compare or "", seed, keep, default_folder())
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    where = keep or "the state folder"
    kept = f"finished games are kept in {where}: the same command goes on"
    with telling_what_is_kept(kept), opened(*workers) as farm:
        return played_report(order, farm)


def _check_output(form: str, out: str | None) -> None:
    """Say now, and not after ten minutes, what could not be written then. Raises ClickException."""
    from kakomi.study.report.writers import NoBrowser, find_browser

    if form == "pdf":
        if out == STANDARD_OUTPUT:
            raise click.UsageError("--out -: a PDF goes into a file")
        try:
            find_browser()
        except NoBrowser as error:
            raise click.ClickException(str(error)) from None
    if out and out != STANDARD_OUTPUT and not Path(out).absolute().parent.is_dir():
        raise click.ClickException(f"{out}: there is no folder {Path(out).parent}")


def _out_path(report: "Report", form: str, out: str | None) -> Path | None:
    """Where a report goes: a file, by default named after the game with its options; None: standard
    output."""
    if out == STANDARD_OUTPUT:
        return None
    options = "".join(f"-{name}{value}" for name, value in report.game.options.items())
    return Path(out) if out else Path(f"{report.game.name}{options}.{form}")


def _write(report: "Report", form: str, path: Path | None) -> None:
    """Say in short what it says, and write it. Raises ClickException if it can't be printed, and OSError."""
    from kakomi.cli.shared.output import say
    from kakomi.core.system import replace_file
    from kakomi.study.report.writers import NoBrowser, print_page

    if path is None:
        sys.stdout.write(_text(report, form))
        return
    for sentence in (report.title, *report.summary):
        say(sentence)
    if report.origin.more:
        say(report.origin.more)
    sys.stdout.flush()
    if form == "pdf":
        try:
            print_page(_text(report, "html"), path)
        except NoBrowser as error:
            raise click.ClickException(str(error)) from None
    else:
        replace_file(path, _text(report, form).encode())
    say(f"Written to {path}")


def _text(report: "Report", form: str) -> str:
    from kakomi.study.report.page.html import page
    from kakomi.study.report.writers import as_object, markdown

    match form:
        case "json":
            return json.dumps(as_object(report), indent=1, ensure_ascii=False) + "\n"
        case "md":
            return markdown(report)
        case _:
            return page(report)
