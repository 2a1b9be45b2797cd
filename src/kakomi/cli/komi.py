"""`kakomi komi`: the fair komi of a board, from games at several komis."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.parameters import (
    SEED,
    GameCommand,
    chosen_game,
    chosen_options,
    game_line,
    general_option,
)
from kakomi.cli.shared.workers import opened, worker_options

if TYPE_CHECKING:
    from kakomi.farm import Farm
    from kakomi.study.fair_komi import KomiEstimate, KomiMeasurement


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi komi lin --size 7                                  400 games of level 5 with itself
  kakomi komi lin --size 9 --games 1000 --bot simulations:400
  kakomi komi lin --size 7 --line 4 --json
\b
The fair komi is where the first player's share of the wins crosses one half. Games begin at the start.
The first twenty are spread over all komis that may be fair, later ones round the one that looks fair,
where games tell most. Ctrl-C stops; the same command goes on, and with more --games adds to them.
It is fair among players like this bot: compare several. docs/komi.md has what is known of Lin.
""",
)
@click.argument("name", metavar="GAME")
@click.option("--bot", default="5", show_default=True, metavar="BOT", help="Who plays with itself.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**6),
    default=400,
    show_default=True,
    help="In all, rounded up to whole rounds of 20.",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of all games.")
@worker_options("Games")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep the games in this file.")
@click.option("--json", "as_json", is_flag=True, help="Print one object, for programs.")
@general_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str,
    bot: str,
    games: int,
    seed: int,
    jobs: int | None,
    ray: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure the fair komi of GAME on one board, among equals: BOT plays with itself at many komis.

    Tells the fair komi with its 95% interval, how sharply it decides, and what was won at each komi.
    """
    from kakomi.study.fair_komi import KomiMeasurement

    game = chosen_game(ctx, name)
    if game.description.komi_option in chosen_options(ctx):
        raise click.UsageError("the komi is what is measured: don't give one", ctx)
    try:
        measurement = KomiMeasurement(game, bot, games, seed=seed)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    with opened(jobs, ray) as farm:
        estimate = _played(measurement, farm, out or _kept(measurement))
    if as_json:
        click.echo(json.dumps(_as_object(measurement, estimate), indent=2))
    else:
        click.echo("\n".join(_told(measurement, estimate)))


def _kept(measurement: "KomiMeasurement") -> Path:
    from kakomi.core.system import state_folder

    folder = state_folder() / "komi"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / measurement.file_name


def _played(measurement: "KomiMeasurement", farm: "Farm", file: Path) -> "KomiEstimate":
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.farm import FarmError
    from kakomi.study.tournament import GameLogError

    with announced_compiling("rules and bots"), patient_progress("Playing") as tell:

        def progress(done: int, so_far: "KomiEstimate | None") -> None:
            words = f"{done}/{measurement.games}"
            tell(done / measurement.games, f"{words} · {_interval(so_far)}" if so_far else words)

        try:
            return measurement.play(farm, file, progress)
        except (FarmError, GameLogError) as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            click.echo(f"kakomi: stopped; games are kept in {file}: the same command goes on", err=True)
            raise


def _interval(estimate: "KomiEstimate") -> str:
    return f"{estimate.fair:.1f} ({_end(estimate.low)} to {_end(estimate.high)})"


def _end(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else "no bound"


def _finite(value: float) -> float | None:
    return round(value, 3) if math.isfinite(value) else None


def _told(measurement: "KomiMeasurement", estimate: "KomiEstimate") -> list[str]:
    game = measurement.game
    first, second = game.player_names
    return [
        f"{game_line(game, without=game.description.komi_option)} · {measurement.bot} with itself",
        f"Fair komi: {_interval(estimate)}, 95% interval, {estimate.games} games",
        f"{estimate.scale:.1f} points of komi less take {first} from 50 % of the wins to 73 %",
        "",
        f"komi   games   won by {first}",
        *(f"{row.komi:4}   {row.games:5}   {100 * row.won / row.games:6.0f} %" for row in measurement.rows()),
        "",
        f"Nearest komi: {measurement.nearest(estimate)}. {second} gets it on top of the points.",
    ]


def _as_object(measurement: "KomiMeasurement", estimate: "KomiEstimate") -> dict[str, Any]:
    return {
        "game": measurement.game.name,
        "options": measurement.options,
        "bot": measurement.bot,
        "seed": measurement.seed,
        "fair": round(estimate.fair, 3),
        "low": _finite(estimate.low),
        "high": _finite(estimate.high),
        "scale": round(estimate.scale, 3),
        "nearest": measurement.nearest(estimate),
        "games": estimate.games,
        "komis": [{"komi": row.komi, "games": row.games, "won": row.won} for row in measurement.rows()],
    }
