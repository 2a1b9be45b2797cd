"""`kakomi analyse`: how every action of a recorded game changed the win chances."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from kakomi.cli.analysis_report import (
    BUDGET,
    check_picture,
    check_provable,
    draw_picture,
    print_ending,
    proof_lines,
    solved_ending,
    with_ending,
)
from kakomi.cli.shared.output import INTERRUPTED, stopped_by_interrupt
from kakomi.cli.shared.parameters import (
    SEED,
    FiniteRange,
    GameCommand,
    general_option,
    position_of_game,
    position_option,
)
from kakomi.cli.shared.records import (
    check_file_or_position,
    game_option,
    heading,
    opened_record,
    optional_file_argument,
)

if TYPE_CHECKING:
    from kakomi.analysis import Analysis, PositionLimits
    from kakomi.analysis.analysis import Tell
    from kakomi.core import Game, Position
    from kakomi.records import Record


LONGEST_SEARCH = 3600
MOST_SIMULATIONS = 100_000_000
MOST_PLAYOUTS = 1_000_000
_MOST_DIGITS = 9


class Turns(click.ParamType):
    """A range of turns on the command line: `12`, `12-30`, `12-` or `-30`."""

    name = "A-B"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | None, int | None]:
        """Return the first and the last turn, None for the game's first or last."""
        from kakomi.core.i18n import truncated_repr

        first, dash, last = str(value).partition("-")
        if (
            not all(part.isdecimal() or (not part and dash) for part in (first, last or first))
            or value == "-"
            or max(len(first), len(last)) > _MOST_DIGITS
        ):
            self.fail(f"{truncated_repr(str(value))} should look like 12-30, 12- or -30", param, ctx)
        return int(first) if first else None, int(last) if last else (None if dash else int(first))


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi analyse game.json                           where the game turned
  kakomi analyse game.sgf --turns 20-40 --seconds 5  some turns, more thoroughly
  kakomi analyse game.json --plot game.svg           with a graph of the win chances
  kakomi analyse game.json --out annotated.sgf       with comments and better lines, for an editor
  kakomi analyse game.json --exact                   with proven results near the end
  kakomi analyse game.json --json > game.analysis    for programs
  kakomi analyse --game rin --size 4 --position "4/1b2/4/4 w left_in_turn=2"    one position
""",
)
@optional_file_argument
@position_option
@click.option(
    "--simulations",
    type=click.IntRange(1, MOST_SIMULATIONS),
    metavar="N",
    help="Simulations per position. [default: 5000]",
)
@click.option(
    "--seconds",
    type=FiniteRange(0, LONGEST_SEARCH, min_open=True),
    metavar="S",
    help="Seconds per position.",
)
@click.option("--turns", type=Turns(), help="Analyse only these turns: 12-30, 12- or -30.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Positions at a time. [default: one per core]")
@click.option("--out", type=click.Path(dir_okay=False), help="Save the annotated game (.json, .sgf).")
@click.option("--plot", type=click.Path(dir_okay=False), help="Save a graph of the win chances (.svg, .png).")
@click.option(
    "--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", help="Colours of the graph."
)
@click.option("--exact", is_flag=True, help="Also prove results, backwards from the end.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="Positions the solver may search for --exact. [default: 5000000]",
)
@click.option(
    "--playouts",
    type=click.IntRange(0, MOST_PLAYOUTS),
    metavar="N",
    help="With --position, playouts for the likely owners; 0: without. [default: 1000]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@game_option
@general_option
@click.pass_context
def analyse(
    ctx: click.Context,
    file: IO[bytes] | None,
    position_text: str | None,
    simulations: int | None,
    seconds: float | None,
    turns: tuple[int | None, int | None] | None,
    seed: int,
    threads: int | None,
    out: str | None,
    plot: str | None,
    theme: str,
    exact: bool,
    budget: int | None,
    playouts: int | None,
    as_json: bool,
    name: str,
) -> None:
    """Find the mistakes and turning points of a saved game.

    FILE is a game in JSON or SGF; - reads standard input. Shows how each action changed the win chances; with
    --position, what a search finds in that position, and who will probably own each point. Actions that seem
    to lose 5 percentage points or more are searched four times as long, together with the best one, before
    they are reported. Ctrl-C stops and shows the analysis so far.
    """
    from kakomi.analysis import analyse, as_data
    from kakomi.cli.shared.output import announced_compiling
    from kakomi.core.system import cores

    check_file_or_position(ctx, file, position_text)
    if budget and not exact:
        raise click.UsageError("--budget needs --exact", ctx)
    proof_budget = (budget or BUDGET) if exact else 0
    if file is None:
        if turns or out or plot:
            raise click.UsageError("--turns, --out and --plot need a FILE", ctx)
        position = position_of_game(ctx, name, position_text or "")
        limits = simulations, seconds, seed, threads, proof_budget, playouts
        _analyse_position(ctx, position, *limits, as_json)
        return
    if playouts is not None:
        raise click.UsageError("--playouts needs --position; for a FILE there is kakomi show --playouts", ctx)
    with announced_compiling():
        record, game = opened_record(ctx, file, name)
        _check_outputs(record, game, out, plot)
        check_provable(ctx, game, exact)
        chosen = _chosen_turns(record, turns)
        effort = _effort(simulations, seconds, seed)
        with _progress() as tell, stopped_by_interrupt() as stop:
            analysis = analyse(
                record, game, effort, turns=chosen, threads=threads or cores(), tell=tell, stop=stop
            )
            ending = solved_ending(record, game, proof_budget, tell, stop)
    failure = _write(analysis, record, out, plot, theme)  # first, as readers may close the pipe
    if as_json:
        click.echo(json.dumps(with_ending(as_data(analysis), ending)))
    else:
        _print(analysis, record)
        if ending:
            print_ending(ending, proof_budget)
    if failure:
        raise failure
    if not analysis.is_complete or stop.is_set():
        ctx.exit(INTERRUPTED)


def _analyse_position(
    ctx: click.Context,
    position: "Position",
    simulations: int | None,
    seconds: float | None,
    seed: int,
    threads: int | None,
    proof_budget: int,
    playouts: int | None,
    as_json: bool,
) -> None:
    """Search one position and print the result, with likely owners, and the solver's if it has a budget."""
    from msgspec import structs

    from kakomi.analysis import ownership
    from kakomi.analysis.analysis import SIMULATIONS
    from kakomi.bots import strongest_search
    from kakomi.cli.analysis_report import ownership_lines, position_lines
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.search.playout import PLAYOUTS
    from kakomi.solve import prove

    if position.is_over:
        raise click.UsageError("--position: the game is over, there is nothing to analyse", ctx)
    check_provable(ctx, position.game, proof_budget > 0)
    if simulations is None and seconds is None:
        simulations = SIMULATIONS
    with announced_compiling(), patient_progress("Searching"), stopped_by_interrupt() as stop:
        search = strongest_search(
            position.game, seed=seed, threads=threads or 1, is_repeatable=simulations is not None
        )
        report = search.run(position, simulations=simulations, seconds=seconds, stop=stop)
        proof = prove(position, proof_budget, lambda: not stop.is_set()) if proof_budget else None
        count = PLAYOUTS if playouts is None else playouts
        owned = ownership(position, count, seed=seed, stop=stop) if count else None
    if as_json:
        told = {"position": str(position), **structs.replace(report, owned=owned).to_json(position.game)}
        click.echo(json.dumps({**told, "proven": proof.to_json(position.game)} if proof else told))
    else:
        lines = position_lines(position, report)
        lines += proof_lines(position, proof, proof_budget) if proof else []
        click.echo("\n".join([*lines, *(ownership_lines(position, owned) if owned else ())]))


def _check_outputs(record: "Record", game: "Game", out: str | None, plot: str | None) -> None:
    """Fail early if the outputs can't be written. Raises ClickException."""
    from kakomi.records import RecordError, write

    for path in (out, plot):
        if path and not Path(path).absolute().parent.is_dir():
            raise click.ClickException(f"{path}: there is no folder {Path(path).parent}")
    if plot:
        check_picture(plot)
    if out:
        try:
            write(record, game, Path(out).suffix.removeprefix(".").lower())
        except RecordError as error:
            raise click.ClickException(f"--out {out}: {error}") from None


def _chosen_turns(record: "Record", turns: tuple[int | None, int | None] | None) -> range:
    """Return the turns to analyse. Raises ClickException if there are none."""
    if not record.length:
        raise click.ClickException("the game has no turns: there is nothing to analyse")
    first, last = turns or (None, None)
    first, last = first or 1, min(last or record.length, record.length)
    if first > last:
        raise click.BadParameter(f"the game has turns 1 to {record.length}", param_hint="--turns")
    return range(first, last + 1)


def _effort(simulations: int | None, seconds: float | None, seed: int) -> "PositionLimits":
    from kakomi.analysis import PositionLimits
    from kakomi.analysis.analysis import SIMULATIONS

    if simulations is None and seconds is None:
        simulations = SIMULATIONS
    return PositionLimits(simulations, seconds, seed)


@contextmanager
def _progress() -> "Iterator[Tell]":
    """Show a bar for each part of the analysis, with the time left."""
    from kakomi.cli.shared.output import patient_progress

    with ExitStack() as bars:
        shown: dict[str, tuple[Callable[[float, str], None], float]] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in shown:
                bars.close()
                shown[what] = bars.enter_context(patient_progress(what)), time.monotonic()
            bar, began = shown[what]
            left = (time.monotonic() - began) * (total - done) / done
            bar(done / total, f"{done} of {total} positions, {_minutes(left)} left; Ctrl-C stops")

        yield tell


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _print(analysis: "Analysis", record: "Record") -> None:
    """Print the game's heading, the plot, the turning points and the summary by player."""
    from kakomi.cli.analysis_report import method, print_plot, print_report
    from kakomi.cli.shared.output import say

    for line in heading(record, analysis.game):
        say(line)
    if record.result:
        say(f"{record.result.in_words(analysis.game.player_names)} after {record.length} turns")
    if not analysis.moves:
        say("Stopped before the first action was analysed. Nothing to show.")
        return
    if not analysis.is_complete:
        say(f"Stopped after turn {analysis.moves[-1].ply.turn}; the analysis is incomplete.")
    click.echo()
    print_plot(analysis)
    click.echo()
    print_report(analysis)
    click.echo()
    say(method(analysis))


def _write(
    analysis: "Analysis", record: "Record", out: str | None, plot: str | None, theme: str
) -> OSError | None:
    """Write the requested files. Return the error if that failed."""
    from kakomi.analysis import annotated
    from kakomi.records import save

    try:
        if plot and analysis.moves:
            draw_picture(plot, analysis, record, theme)
        if out:
            save(annotated(record, analysis), analysis.game, out)
    except OSError as error:
        return error
    return None
