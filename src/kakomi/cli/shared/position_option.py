"""A position on the command line: its text, and the actions that lead on from it."""

from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.games import chosen_options, known

if TYPE_CHECKING:
    from kakomi.core import Game, Position

position_option = click.option(
    "--position",
    "position_text",
    metavar="TEXT",
    help="Begin at this position, a line of text as `kakomi show --one-line` prints it.",
)
from_option = click.option(
    "--from", "actions", metavar="ACTIONS", default="", help="Play these first, spaces between."
)


def chosen_position(ctx: click.Context, game: "Game", text: str | None, actions: str) -> "Position":
    """The position of `--position`, or the game's start, after the actions of `--from`.

    Raises UsageError saying what is wrong with the text, or which action can't be played.
    """
    try:
        position = game.start() if text is None else game.position(text)
    except ValueError as error:
        raise click.UsageError(f"--position: {error}", ctx) from None
    for number, action in enumerate(actions.split(), 1):
        try:
            position = position.play(action)
        except ValueError as error:
            raise click.UsageError(f"--from, action {number}: {error}", ctx) from None
    return position


def position_of_game(ctx: click.Context, name: str, text: str) -> "Position":
    """The position of `--position` for a command that takes records else, the game named by `--game`.

    Raises UsageError, also where no game is named.
    """
    from kakomi import catalog

    if not name:
        raise click.UsageError("--position needs the game beside it: --game NAME", ctx)
    try:
        game = catalog.game(known(name), **chosen_options(ctx))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    return chosen_position(ctx, game, text, "")
