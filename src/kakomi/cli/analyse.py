"""`kakomi analyse`: what every action of a recorded game did to the win chances."""

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
    from kakomi.core import Game, Position
    from kakomi.records import Record
    from kakomi.study.analysis import Analysis, PositionLimits
    from kakomi.study.analysis.analysis import Tell


LONGEST_SEARCH = 3600
MOST_SIMULATIONS = 100_000_000
_MOST_DIGITS = 9


class Turns(click.ParamType):
    """Numbers of turns from the command line: `12`, `12-30`, `12-` or `-30`."""

    name = "A-B"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | None, int | None]:
        """The first and the last turn, None where it is the game's own."""
        from kakomi.core.wording import truncated_repr

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
  kakomi analyse game.json --plot game.svg           with a picture of the win chances
  kakomi analyse game.json --out annotated.sgf       with comments and better lines, for an editor
  kakomi analyse game.json --exact                   what was won, and was thrown away
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
    help="Search each position so long; 5,000 if nothing else is asked for.",
)
@click.option(
    "--seconds",
    type=FiniteRange(0, LONGEST_SEARCH, min_open=True),
    metavar="S",
    help="Search each position so long at most.",
)
@click.option("--turns", type=Turns(), help="Only these turns: 12-30, 12- or -30.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of all searches.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Positions searched at once; else one a core.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the annotated record here (.json, .sgf).")
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw the win chances here (.svg, .png).")
@click.option(
    "--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", help="Colours of the picture."
)
@click.option("--exact", is_flag=True, help="Also prove results, from the end backwards as far as they go.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="Positions that the solver looks at for --exact; 5,000,000 if not given.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list with an object an action.")
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
    as_json: bool,
    name: str,
) -> None:
    """Show how each action of the recorded game in FILE (JSON or SGF; - is standard input) changed the
    win chances, and where the game turned; or what a search finds in the position that --position spells.

    Every position is searched; where an action seems to lose 5 points (percent) or more, what was played
    and what was best are searched four times as long before anything is said. Ctrl-C stops, and what
    there is by then is shown.
    """
    from kakomi.cli.shared.output import announced_compiling
    from kakomi.core.system import cores
    from kakomi.study.analysis import analyse, as_data

    check_file_or_position(ctx, file, position_text)
    if budget and not exact:
        raise click.UsageError("--budget is for --exact", ctx)
    proof_budget = (budget or BUDGET) if exact else 0
    if file is None:
        if turns or out or plot:
            raise click.UsageError("--turns, --out and --plot are for a FILE", ctx)
        position = position_of_game(ctx, name, position_text or "")
        _analyse_position(ctx, position, simulations, seconds, seed, threads, proof_budget, as_json)
        return
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
    as_json: bool,
) -> None:
    """Search one position and say what was found, by the solver too if it may look at positions."""
    from kakomi.bots import strongest_search
    from kakomi.cli.analysis_report import position_lines
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.solve import prove
    from kakomi.study.analysis.analysis import SIMULATIONS

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
    if as_json:
        told = {"position": str(position), **report.to_json(position.game)}
        click.echo(json.dumps({**told, "proven": proof.to_json(position.game)} if proof else told))
    else:
        lines = position_lines(position, report)
        click.echo("\n".join([*lines, *(proof_lines(position, proof, proof_budget) if proof else ())]))


def _check_outputs(record: "Record", game: "Game", out: str | None, plot: str | None) -> None:
    """Say now, and not after a minute, what could not be written then."""
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
    """The turns to analyse. Raises ClickException if there are none."""
    if not record.length:
        raise click.ClickException("the record has no turns: there is nothing to analyse")
    first, last = turns or (None, None)
    first, last = first or 1, min(last or record.length, record.length)
    if first > last:
        raise click.BadParameter(f"the game has the turns 1 to {record.length}", param_hint="--turns")
    return range(first, last + 1)


def _effort(simulations: int | None, seconds: float | None, seed: int) -> "PositionLimits":
    from kakomi.study.analysis import PositionLimits
    from kakomi.study.analysis.analysis import SIMULATIONS

    if simulations is None and seconds is None:
        simulations = SIMULATIONS
    return PositionLimits(simulations, seconds, seed)


@contextmanager
def _progress() -> "Iterator[Tell]":
    """A bar for each part of the analysis, with the time that it will take yet."""
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
    """The game as a whole, the plot, the turning points, the players."""
    from kakomi.cli.analysis_report import method, print_plot, print_report
    from kakomi.cli.shared.output import say

    for line in heading(record, analysis.game):
        say(line)
    if record.result:
        say(f"{record.result.in_words(analysis.game.player_names)} after {record.length} turns")
    if not analysis.moves:
        say("Stopped before the first action was analysed.")
        return
    if not analysis.is_complete:
        say(f"Stopped after turn {analysis.moves[-1].ply.turn}; what follows is unfinished.")
    click.echo()
    print_plot(analysis)
    click.echo()
    print_report(analysis)
    click.echo()
    say(method(analysis))


def _write(
    analysis: "Analysis", record: "Record", out: str | None, plot: str | None, theme: str
) -> OSError | None:
    """Write the requested files; what went wrong, if something did."""
    from kakomi.records import save
    from kakomi.study.analysis import annotated

    try:
        if plot and analysis.moves:
            draw_picture(plot, analysis, record, theme)
        if out:
            save(annotated(record, analysis), analysis.game, out)
    except OSError as error:
        return error
    return None
