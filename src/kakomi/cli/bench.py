"""`kakomi bench` and `kakomi perft`: the speed of games, and the number of their action sequences."""

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.output import report_kept_on_interrupt
from kakomi.cli.shared.parameters import (
    SEED,
    FiniteRange,
    GameCommand,
    checked_game_name,
    chosen_game,
    chosen_options,
    chosen_position,
    from_option,
    general_option,
    position_option,
)

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.study.speed import Speed


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi bench                       every game at its default size
  kakomi bench lin --size 9          one game
  kakomi bench rin rive --seconds 2  two games, quickly
  kakomi bench --json                for programs
""",
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@general_option
@click.option(
    "--seconds", type=FiniteRange(0.1, 3600), default=6.0, show_default=True, help="Seconds per game."
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.pass_context
def bench(ctx: click.Context, games: tuple[str, ...], seconds: float, seed: int, as_json: bool) -> None:
    """Measure the speed of playouts, search and Python on one core.

    A playout chooses random legal actions until the game is over. Each figure is the median of five rounds;
    "calib" is a fixed loop timed alongside (million random numbers per second), since a machine's speed
    varies. `make bench` measures comparable programs.
    """
    with report_kept_on_interrupt():
        speeds = _measured(_chosen_games(ctx, games), seconds, seed)
    if as_json:
        click.echo(json.dumps([_as_object(speed) for speed in speeds], indent=2))
    else:
        _print_table(speeds)


def _chosen_games(ctx: click.Context, names: tuple[str, ...]) -> list["Game"]:
    from kakomi import catalog

    if chosen_options(ctx) and len(names) != 1:
        raise click.UsageError("name exactly one GAME to use its options", ctx)
    if len(names) == 1:
        return [chosen_game(ctx, names[0])]
    return [catalog.game(checked_game_name(name)) for name in names or catalog.names()]


def _measured(games: list["Game"], seconds: float, seed: int) -> list["Speed"]:
    """Measure the speed of each game, without compiling."""
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.search import PlainSearch
    from kakomi.study.speed import ROUNDS, measure

    speeds = []
    rounds = 0
    with announced_compiling(), patient_progress("Measuring") as tell:
        for game in games:

            def tick(title: str = game.description.title) -> None:
                nonlocal rounds
                rounds += 1
                tell(rounds / (len(games) * ROUNDS), title)

            PlainSearch(game).warm()
            speeds.append(measure(game, seconds, seed, tick))
    return speeds


def _as_object(speed: "Speed") -> dict[str, object]:
    return {
        name: round(value, 4 if name.startswith("mean") else 1) if isinstance(value, float) else value
        for name, value in asdict(speed).items()
    }


_COLUMNS = ("playouts/s", "plies each", "plies/s", "in search", "simul./s", "Python", "calib")


def _print_table(speeds: list["Speed"]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("game", no_wrap=True)
    for title in _COLUMNS:
        table.add_column(title, justify="right", no_wrap=True)
    for speed in speeds:
        options = " ".join(str(value) for value in speed.options.values())
        table.add_row(
            f"{speed.game} {options}",
            f"{speed.playouts_per_s:,.0f}",
            f"{speed.mean_plies:.1f}±{2 * speed.mean_plies_error:.1f}",
            f"{speed.actions_per_s / 1e6:.2f} M",
            f"{speed.plies_per_s / 1e6:.2f} M",
            f"{speed.simulations_per_s:,.0f}",
            f"{speed.python_plies_per_s / 1e3:,.0f} k",
            f"{speed.calibration:.0f}",
        )
    Console().print(table)
    click.echo("plies/s: in playouts, in the tree search, and one action at a time from Python.")


DEEPEST = 60


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi perft rin 3 --size 8
  kakomi perft rive 4 --size 3 --from "d3 c2"
  kakomi perft lin 3 --size 9 --json
  kakomi perft rin 2 --size 4 --position "4/1b2/4/4 w left_in_turn=2"
""",
)
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, DEEPEST))
@position_option
@from_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@general_option
@click.pass_context
def perft(
    ctx: click.Context, game: str, depth: int, position_text: str | None, actions: str, as_json: bool
) -> None:
    """Count all sequences of DEPTH actions.

    Sequences that end the game earlier don't count. Two programs that agree on these numbers almost certainly
    agree on the rules.
    """
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.perft import perft

    chosen = chosen_game(ctx, game)
    with announced_compiling():
        position = chosen_position(ctx, chosen, position_text, actions)
        started = time.perf_counter()
        with report_kept_on_interrupt(), patient_progress("Counting") as tell:
            count = perft(position, depth, on_slice=lambda part, so_far: tell(part, f"{so_far:,} so far"))
    seconds = time.perf_counter() - started
    if as_json:
        options = {"game": chosen.name, "options": dict(chosen.options), "from": actions.split()}
        options |= {} if position_text is None else {"position": position_text}
        click.echo(json.dumps({**options, "depth": depth, "count": count, "seconds": round(seconds, 3)}))
    else:
        click.echo(count)
