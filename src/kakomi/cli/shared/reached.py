"""A position on the command line: the actions that lead to it."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kakomi.core import Game, Position

from_option = click.option(
    "--from", "actions", metavar="ACTIONS", default="", help="Play these first, spaces between."
)


def reached(ctx: click.Context, game: "Game", actions: str) -> "Position":
    """The position after these actions from the start. Raises UsageError saying which can't be played."""
    position = game.start()
    for number, text in enumerate(actions.split(), 1):
        try:
            position = position.play(text)
        except ValueError as error:
            raise click.UsageError(f"--from, action {number}: {error}", ctx) from None
    return position
