"""`kakomi play`: a game in the terminal."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.parameters import (
    SEED,
    GameCommand,
    checked_game_name,
    chosen_game,
    chosen_options,
    general_option,
    position_option,
)

if TYPE_CHECKING:
    from kakomi.cli.playing.seats import PlayOptions
    from kakomi.cli.playing.terminal_game import TerminalGame


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi play                             choose a game from a menu
  kakomi play rin --size 8 --bot 2        a quick game against an easy bot
  kakomi play ren --as white --match      two games; you start the second
  kakomi play lin --komi 6                White gets 6 points, without negotiation
  kakomi play rive --bot time:5           the bot thinks 5 seconds per action
  kakomi play rings --players 3 --seat 0=human --seat 1=bot:3 --seat 2=human
  kakomi play rin --size 4 --position "4/1b2/4/4 w left_in_turn=2"
  kakomi play --continue                  resume your last unfinished game
""",
)
@click.argument("game", required=False)
@click.option(
    "--bot",
    "level",
    metavar="LEVEL",
    help="Opponent: 1 (easiest) to 10, random, time:SECONDS per action. [default: 4]",
)
@click.option("--human", is_flag=True, help="Play against people at this terminal.")
@click.option("--as", "person", metavar="PLAYER", help="Your side: black, white, ... or random.")
@click.option("--seat", "named", multiple=True, metavar="N=WHO", help="Who has seat N: human or bot:LEVEL.")
@click.option("--seed", type=SEED, help="Random seed, to make bots play the same way again.")
@click.option(
    "--match", "is_match", is_flag=True, help="Play a match: everyone starts once, and points are added."
)
@click.option("--swap", is_flag=True, help="Let the second player swap colours (not an original rule).")
@position_option
@click.option("--load", "record", type=click.Path(path_type=Path), help="Continue a saved game.")
@click.option("--continue", "goes_on", is_flag=True, help="Resume your last unfinished game.")
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
    """Play in the terminal, against bots or people.

    Without GAME you choose from a menu. During a game, `help` lists what you can type. Games you leave are
    saved: `kakomi play --continue` resumes them. `kakomi play GAME --help` also lists the game's options.
    """
    from kakomi.cli.playing import terminal_game
    from kakomi.cli.playing.commands import NAMES, execute_line
    from kakomi.cli.playing.console import Quit
    from kakomi.cli.playing.seats import PlayOptions

    if options["position_text"] is not None and (record or goes_on or not game):
        raise click.UsageError("--position needs a GAME, and doesn't go with --load or --continue", ctx)
    seed = secrets.randbelow(2**32) if seed is None else seed
    try:
        if goes_on:
            if game or record:
                raise click.UsageError("--continue takes neither GAME nor --load", ctx)
            table = _continued(seed)
        elif record:
            table = _loaded(ctx, record, game, PlayOptions(**options), seed)
        elif game:
            table = _begun(ctx, game, PlayOptions(**options), seed)
        else:
            table = terminal_game.from_menu(seed)
    except Quit:
        return
    try:
        table.play(execute_line, NAMES)
    finally:
        _report_save(table)


def _continued(seed: int) -> "TerminalGame":
    from kakomi.cli.playing import terminal_game
    from kakomi.cli.playing.autosave import newest_unfinished

    kept = newest_unfinished()
    if kept is None:
        raise click.ClickException("there is no unfinished game to resume")
    return terminal_game.continued(kept, seed)


def _loaded(
    ctx: click.Context, record: Path, game: str | None, options: "PlayOptions", seed: int
) -> "TerminalGame":
    from kakomi.cli.playing import terminal_game

    name = checked_game_name(game) if game else ""
    try:
        return terminal_game.from_record(record, name, chosen_options(ctx), options, seed)
    except ValueError as error:
        raise click.ClickException(f"{record}: {error}") from None


def _begun(ctx: click.Context, game: str, options: "PlayOptions", seed: int) -> "TerminalGame":
    from kakomi import catalog
    from kakomi.cli.playing import terminal_game
    from kakomi.session import usual_terms

    given = chosen_options(ctx)
    try:
        usual = usual_terms(catalog.describe(checked_game_name(game)), given).game
        chosen = usual if options.position_text is None else chosen_game(ctx, game)
        return terminal_game.begun(chosen, given, options, seed)
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


def _report_save(table: "TerminalGame") -> None:
    if table.is_lost and not table.match.is_over:
        click.echo("kakomi: this game couldn't be saved: the disk is full or read-only", err=True)
    elif table.saved_at and not table.match.is_over:
        click.echo(f"Game saved in {table.saved_at}. Resume it with `kakomi play --continue`.")
