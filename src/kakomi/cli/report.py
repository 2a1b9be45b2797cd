"""`kakomi report`: a page about a game, from games of bots."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.output import report_kept_on_interrupt
from kakomi.cli.shared.parameters import SEED, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import open_farm_from_options, worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.study.report.report import Report


FORMATS = ("html", "json")
STANDARD_OUTPUT = "-"


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi report rive                              ten minutes of games, then rive-size4.html
  kakomi report rings --size 3 --players 3 --budget 2m
  kakomi report lin --size 9 --budget 2h --out lin.html
  kakomi report ren --compare lead=0,6            compare two rules
  kakomi report --games games/                    from games of your own
  kakomi report rin --size 8 --format json --out -

The page works offline: charts, boards and replayable games are in it. Results of `kakomi study` for the same
board become chapters of it. Ctrl-C makes the report from the games played so far; the same command continues.
With the same seed and budget you get the same page again. docs/reports.md defines every number.
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
    help="Time to spend, counted on two cores: 90s, 10m or 2h.",
)
@click.option(
    "--games",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Play nothing; use the saved games and matches in this folder.",
)
@click.option("--compare", metavar="OPTION=N,N", help="Compare values of an option; they share the budget.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="[default: by the name of --out, or html]")
@click.option(
    "--out", metavar="FILE", help="Output file, - for standard output. [default: named after the game]"
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for finished games. [default: reports in the state folder]",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")
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
    """Report how fair, long, deep and dramatic a game is.

    Bots of many strengths play as many games as the budget allows; the result is a single page on which every
    number has its interval.
    """
    game = chosen_game(ctx, name) if name else None
    if game is None and folder is None:
        raise click.UsageError("name a GAME, or a folder of games with --games", ctx)
    if folder and compare:
        raise click.UsageError("use either --compare, which plays games, or --games, which doesn't", ctx)
    chosen = _format(ctx, form, out)
    _check_output(out)
    if folder:
        report = _report_of_folder(folder, game, seed)
    else:
        assert game
        report = _report_of_new_games(ctx, game, budget_text, compare, keep, seed, (jobs, ray))
    _write(report, chosen, _out_path(report, chosen, out))


def _format(ctx: click.Context, form: str | None, out: str | None) -> str:
    ending = Path(out).suffix.removeprefix(".").lower() if out else ""
    if form:
        return form
    if ending and ending not in FORMATS:
        raise click.UsageError(
            f"--out {out}: the name should end in .{' or .'.join(FORMATS)}; or add --format", ctx
        )
    return ending or "html"


def _report_of_folder(folder: Path, game: "Game | None", seed: int) -> "Report":
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


def _report_of_new_games(
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
    kept = f"finished games are saved in {where}; run the same command to continue"
    with report_kept_on_interrupt(kept), open_farm_from_options(*workers) as farm:
        return played_report(order, farm)


def _check_output(out: str | None) -> None:
    """Fail early if the report can't be written. Raises ClickException."""
    if out and out != STANDARD_OUTPUT and not Path(out).absolute().parent.is_dir():
        raise click.ClickException(f"{out}: there is no folder {Path(out).parent}")


def _out_path(report: "Report", form: str, out: str | None) -> Path | None:
    """Return the file for a report, by default named after the game with its options; None: standard
    output."""
    if out == STANDARD_OUTPUT:
        return None
    options = "".join(f"-{name}{value}" for name, value in report.game.options.items())
    return Path(out) if out else Path(f"{report.game.name}{options}.{form}")


def _write(report: "Report", form: str, path: Path | None) -> None:
    """Print a report's summary and write it. Raises OSError."""
    from kakomi.cli.shared.output import say
    from kakomi.core.system import replace_file

    if path is None:
        sys.stdout.write(_text(report, form))
        return
    for sentence in (report.title, *report.summary):
        say(sentence)
    if report.origin.more:
        say(report.origin.more)
    sys.stdout.flush()
    replace_file(path, _text(report, form).encode())
    say(f"Written to {path}")


def _text(report: "Report", form: str) -> str:
    from kakomi.study.report.page.html import page
    from kakomi.study.report.writers import as_object

    if form == "json":
        return json.dumps(as_object(report), indent=1, ensure_ascii=False) + "\n"
    return page(report)
