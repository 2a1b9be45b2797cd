"""`kakomi openings`: which first turns a player chooses, up to symmetry, with counts and a map."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.kept_study import studied
from kakomi.cli.shared.parameters import SEED, GameCommand, chosen_game, general_option
from kakomi.cli.shared.workers import opened, worker_options

if TYPE_CHECKING:
    from kakomi.cli.beginning.told import Margins
    from kakomi.core import Game
    from kakomi.study.openings import OpeningStudy, OpeningTable


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi openings rive
  kakomi openings lin --size 9 --searches 400 --out lin.svg
  kakomi openings ren --bot 12 --turns 2
  kakomi openings rings --size 2 --exact
  kakomi openings rings --players 4 --bot simulations:2000 --json
\b
Each search has a seed of its own and no memory of the others. Turns that a rotation or reflection of the
board makes alike, or that lead to the same position, are one. Ctrl-C stops and tells what is there; the same
command goes on, and with more --searches adds to them. How often a turn is played doesn't say how good it
is: docs/openings.md.
""",
)
@click.argument("name", metavar="GAME")
@click.option("--bot", default="10", show_default=True, metavar="BOT", help="Who is asked.")
@click.option(
    "--searches",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    metavar="N",
    help="How often.",
)
@click.option(
    "--turns",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="With 2 the replies to the most frequent first turns too.",
)
@click.option(
    "--exact", is_flag=True, help="Solve every first turn, on a small board for two: what each is worth."
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="PICTURE.svg", help="Draw the map here."
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of all searches.")
@worker_options("Searches")
@click.option("--json", "as_json", is_flag=True, help="Print one object, for programs.")
@general_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str,
    bot: str,
    searches: int,
    turns: int,
    exact: bool,
    out: Path | None,
    seed: int,
    jobs: int | None,
    ray: str | None,
    as_json: bool,
) -> None:
    """Ask a player again and again how it begins GAME, and count its first turns up to symmetry.

    Tells for each the positions that it stands for, how often it came, what the search expected of it, and
    whether it comes more or less often than if all positions came alike.
    """
    from kakomi.cli.beginning.as_object import as_object
    from kakomi.cli.beginning.told import told
    from kakomi.study.openings import OpeningStudy

    game = chosen_game(ctx, name)
    _check_out(ctx, out)
    try:
        study = OpeningStudy(game, bot, searches=searches, turns=turns, seed=seed)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    margins = _solved(ctx, game) if exact else None
    with opened(jobs, ray) as farm:
        table = studied(study, farm, "openings", compiles="rules and bots", plural="searches")
    if out:
        _draw(study, table, out)
    if as_json:
        click.echo(json.dumps(as_object(study, table, margins), indent=2))
    else:
        click.echo("\n".join(told(study, table, margins)))


def _check_out(ctx: click.Context, out: Path | None) -> None:
    """Say now, and not after a minute, what could not be written then."""
    if out and out.suffix.lower() != ".svg":
        raise click.UsageError(f"--out {out}: the picture is an SVG file, such as map.svg", ctx)
    if out and not out.absolute().parent.is_dir():
        raise click.UsageError(f"--out {out}: there is no folder {out.parent}", ctx)


def _solved(ctx: click.Context, game: "Game") -> "Margins":
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.openings import TurnClasses, exact_margins

    with announced_compiling("rules and the solver"), patient_progress("Solving") as tell:

        def progress(done: int, of: int, positions: int) -> None:
            tell(done / of, f"{done} of {of} first turns, {positions / 1e6:,.1f} million positions")

        try:
            return exact_margins(TurnClasses(game), tell=progress)
        except ValueError as error:
            raise click.UsageError(f"--exact: {error}", ctx) from None


def _draw(study: "OpeningStudy", table: "OpeningTable", out: Path) -> None:
    from kakomi.cli.beginning.told import player_named
    from kakomi.study.openings import drawn_map

    try:
        out.write_text(drawn_map(table, player_named(study.bot)), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"--out {out}: {error.strerror}") from None
