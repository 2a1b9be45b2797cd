"""`kakomi seats`: what each seat is worth among equals, and what repairs make of it."""

import json
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.parameters import (
    SEED,
    GameCommand,
    chosen_game,
    chosen_options,
    general_option,
    known,
    position_option,
)
from kakomi.cli.shared.workers import opened, worker_options

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.farm import Farm
    from kakomi.study.seats import BoardFigures, SeatStudy

MOST_NUMBERS = 100


class Numbers(click.ParamType):
    """Whole numbers in a list: `3,4,6` or `3..6`."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """The numbers in the order given, none twice. Fails for anything else."""
        found: list[int] = []
        for part in str(value).split(","):
            first, dots, last = part.strip().partition("..")
            ends = [first, last] if dots else [first, first]
            if not all(end.isascii() and end.isdecimal() and len(end) < 4 for end in ends):
                self.fail(f"{value!r} should look like 3,4,6 or 3..6", param, ctx)
            found += range(int(ends[0]), int(ends[1]) + 1)
        if not found or len(found) > MOST_NUMBERS:
            self.fail(f"{value!r} names {len(found)} numbers; 1 to {MOST_NUMBERS} are possible", param, ctx)
        return list(dict.fromkeys(found))


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi seats ren --sizes 6,8                              400 games of level 5 a board
  kakomi seats ren --size 8 --try lead=6 --games 1000       and with a lead that wins at once
  kakomi seats rings --size 3 --players 2..6                how level two to six seats are
  kakomi seats lin --sizes 5,7,9 --bot simulations:400 --json
\b
A bot plays with itself from the start; draws are shared. Between two players, these repairs are told too:
the komi that was measured as fair (Lin), options that --try names, a swap of seats after the first turn,
and a match of two games with seats exchanged. Ctrl-C stops; the same command goes on, and with more
--games adds to what is there. docs/seats.md says how each is told, and what was found.
""",
)
@click.argument("name", metavar="GAME")
@click.option("--sizes", type=Numbers(), metavar="LIST", help="Boards: 3,4,5 or 3..5. Default: --size.")
@click.option("--players", type=Numbers(), metavar="LIST", help="How many play: 2,3,4 or 2..6.")
@click.option("--bot", default="5", show_default=True, metavar="BOT", help="Who plays with itself.")
@click.option(
    "--games",
    type=click.IntRange(2, 10**6),
    default=400,
    show_default=True,
    help="Of each board, and of each repair that needs games of its own.",
)
@click.option(
    "--try",
    "tried",
    multiple=True,
    metavar="NAME=N",
    help="Another option as a repair, such as lead=6; may be repeated.",
)
@position_option
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of all games.")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep games in this folder; default: seats in the state folder.",
)
@worker_options("Games")
@click.option("--json", "as_json", is_flag=True, help="Print one object, for programs.")
@general_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    name: str,
    sizes: list[int] | None,
    players: list[int] | None,
    bot: str,
    games: int,
    tried: tuple[str, ...],
    position_text: str | None,
    seed: int,
    keep: Path | None,
    jobs: int | None,
    ray: str | None,
    as_json: bool,
) -> None:
    """Tell what each seat of GAME is worth among equals, on one board or more, and what repairs make of it.

    Every share has its 95% interval; p-values say whether a seat differs from an equal share.
    """
    from kakomi.cli.shared.seat_words import as_object, told
    from kakomi.core.system import state_folder
    from kakomi.study.seats import SeatStudy

    options = [_tried(ctx, text) for text in tried]
    boards = _boards(ctx, name, sizes, players)
    try:
        study = SeatStudy(boards, bot, games, seed, position_text or "", options)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    with opened(jobs, ray) as farm:
        found = _played(ctx, study, farm, keep or state_folder() / "seats")
    click.echo(json.dumps(as_object(study, found), indent=2) if as_json else "\n".join(told(study, found)))


def _boards(
    ctx: click.Context, name: str, sizes: list[int] | None, players: list[int] | None
) -> "list[Game]":
    from kakomi import catalog

    lists = {"size": sizes, "players": players}
    listed = {option: values for option, values in lists.items() if values}
    for option in listed:
        if option in chosen_options(ctx):
            raise click.UsageError(f"give one {option}, or a list of them, not both", ctx)
    if not listed:
        return [chosen_game(ctx, name)]
    chosen = [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]
    try:
        return [catalog.game(known(name), **{**chosen_options(ctx), **one}) for one in chosen]
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


def _tried(ctx: click.Context, text: str) -> dict[str, int]:
    option, equals, value = text.partition("=")
    if not equals or not value.strip().isdecimal() or len(value) > 9:
        raise click.UsageError(f"--try: {text!r} should look like lead=6", ctx)
    return {option.strip().replace("-", "_"): int(value)}


def _played(ctx: click.Context, study: "SeatStudy", farm: "Farm", folder: Path) -> "tuple[BoardFigures, ...]":
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.farm import FarmError
    from kakomi.study.tournament import GameLogError

    with announced_compiling("rules and bots"), patient_progress("Playing") as tell:
        try:
            return study.play(farm, folder, tell)
        except (FarmError, GameLogError) as error:
            raise click.ClickException(str(error)) from None
        except ValueError as error:
            raise click.UsageError(str(error), ctx) from None
        except KeyboardInterrupt:
            click.echo(f"kakomi: stopped; games are kept in {folder}: the same command goes on", err=True)
            raise
