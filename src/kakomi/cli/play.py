"""`kakomi play`: a game in the terminal."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.parameters import (
    SEED,
    FiniteRange,
    GameCommand,
    chosen_game,
    chosen_options,
    general_option,
    known,
    position_option,
)

if TYPE_CHECKING:
    from kakomi.cli.playing.seats import PlayOptions
    from kakomi.cli.playing.terminal_game import TerminalGame


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi play                             a menu
  kakomi play rin --size 8 --bot 2        a quick game against an easy opponent
  kakomi play ren --as white --match      two games, you begin the second
  kakomi play lin --komi 6                no negotiation: White gets 6 points
  kakomi play rive --time 5               the bot takes 5 seconds an action
  kakomi play rings --players 3 --seat 0=human --seat 1=bot:3 --seat 2=human
  kakomi play rin --size 4 --position "4/1b2/4/4 w left_in_turn=2"
  kakomi play --continue                  go on with the last unfinished game
""",
)
@click.argument("game", required=False)
@click.option(
    "--bot", "level", metavar="LEVEL", help="Opponents: 1 (easiest) to 10, beginner or random; default 4."
)
@click.option("--human", is_flag=True, help="Opponents are people at this terminal.")
@click.option("--as", "person", metavar="PLAYER", help="Which player you are: 0, 1, black, ... or random.")
@click.option("--seat", "named", multiple=True, metavar="N=WHO", help="Who has seat N: human or bot:LEVEL.")
@click.option("--time", "seconds", type=FiniteRange(0.01, 86400), help="Seconds for a bot's action.")
@click.option("--simulations", type=click.IntRange(1, 10**9), help="Simulations for a bot's action.")
@click.option("--seed", type=SEED, help="For bots that choose the same way again.")
@click.option("--match", "is_match", is_flag=True, help="A match: each player begins once, points add up.")
@click.option("--swap", is_flag=True, help="Let the second player take over the first turn: no game's rule.")
@position_option
@click.option("--load", "record", type=click.Path(path_type=Path), help="Go on from a record.")
@click.option("--continue", "goes_on", is_flag=True, help="Go on with the last unfinished game.")
@general_option
@click.pass_context
def play(
    ctx: click.Context,
    /,
    game: str | None,
    record: Path | None,
    goes_on: bool,
    seed: int | None,
    **options: Any,
) -> None:
    """Play GAME here, against bots, people or both; without GAME there is a menu.

    During the game, `help` lists what you can type. The options of a game itself stand at the end of
    `kakomi play GAME --help`. A game that you leave is kept.
    """
    from kakomi.cli.playing.commands import NAMES, obey
    from kakomi.cli.playing.console import Quit
    from kakomi.cli.playing.seats import PlayOptions

    if options["position_text"] is not None and (record or goes_on or not game):
        raise click.UsageError("--position needs GAME beside it, and neither --load nor --continue", ctx)
    seed = secrets.randbelow(2**32) if seed is None else seed
    try:
        if goes_on:
            if game or record:
                raise click.UsageError("--continue goes on with the last unfinished game: name no other", ctx)
            table = _continued(seed)
        elif record:
            table = _loaded(ctx, record, game, PlayOptions(**options), seed)
        elif game:
            table = _begun(ctx, game, PlayOptions(**options), seed)
        else:
            table = _chosen(seed)
    except Quit:
        return
    try:
        table.play(obey, NAMES)
    finally:
        _say_where_it_is(table)


def _continued(seed: int) -> "TerminalGame":
    from kakomi.cli.playing import terminal_game
    from kakomi.cli.playing.autosave import newest_unfinished

    kept = newest_unfinished()
    if kept is None:
        raise click.ClickException("there is no unfinished game to go on with")
    return terminal_game.continued(kept, seed)


def _loaded(
    ctx: click.Context, record: Path, game: str | None, options: "PlayOptions", seed: int
) -> "TerminalGame":
    from kakomi.cli.playing import terminal_game

    name = known(game) if game else ""
    try:
        return terminal_game.from_record(record, name, chosen_options(ctx), options, seed)
    except ValueError as error:
        raise click.ClickException(f"{record}: {error}") from None


def _begun(ctx: click.Context, game: str, options: "PlayOptions", seed: int) -> "TerminalGame":
    from kakomi.cli.playing import terminal_game

    try:
        return terminal_game.begun(chosen_game(ctx, game), chosen_options(ctx), options, seed)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


def _chosen(seed: int) -> "TerminalGame":
    from kakomi.cli.playing import terminal_game

    return terminal_game.from_menu(seed)


def _say_where_it_is(table: "TerminalGame") -> None:
    if table.is_lost and not table.match.is_over:
        click.echo("kakomi: the game as it stands is not kept: there was no room for it", err=True)
    elif table.kept_at and not table.match.is_over:
        click.echo(f"The game is kept in {table.kept_at}; `kakomi play --continue` goes on with it.")
