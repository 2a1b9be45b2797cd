"""`kakomi convert`: a recorded game in another format."""

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import GameCommand, general_option
from kakomi.cli.shared.records import game_option, opened_record

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.records import Record

FORMS = ("json", "sgf", "svg", "png", "gif", "txt")


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi convert game.json game.sgf               for an SGF editor
  kakomi convert game.sgf game.svg                a picture of how it ended
  kakomi convert game.json game.png               the same in pixels
  kakomi convert game.json game.gif               a film of the game
  kakomi convert old.sgf game.json --game ren     an SGF file of another program
  cat game.sgf | kakomi convert - - --to json     between pipes
""",
)
@click.argument("source", metavar="IN", type=click.File("rb"))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--to", "form", type=click.Choice(FORMS), help="The format; else OUT's name tells.")
@game_option
@general_option
@click.pass_context
def command(ctx: click.Context, source: IO[bytes], target: str, form: str | None, name: str) -> None:
    """Write the recorded game in IN (JSON or SGF) to OUT in another format; - is a pipe.

    JSON and SGF hold the whole game, with comments and variations; svg, png and txt draw its last position,
    gif all of the game.
    SGF is for games of two players on square boards. OUT is replaced only when all of it is written.
    """
    from kakomi.cli.shared.output import announced_compiling
    from kakomi.core.system import replace_file
    from kakomi.records import RecordError

    form = form or _form_of(target)
    with announced_compiling():
        record, game = opened_record(ctx, source, name)
        try:
            data = _converted(record, game, form)
        except RecordError as error:
            raise click.ClickException(str(error)) from None
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        replace_file(target, data)


def _form_of(target: str) -> str:
    form = Path(target).suffix.removeprefix(".").lower()
    if form not in FORMS:
        raise click.UsageError(f"the name of OUT doesn't tell the format: say --to {', '.join(FORMS)}")
    return form


def _converted(record: "Record", game: "Game", form: str) -> bytes:
    from kakomi.draw.pixels import PICTURE_WIDTH, png
    from kakomi.records import position_after, write

    match form:
        case "png":
            return png(position_after(record, game).svg(theme="light"), width=PICTURE_WIDTH)
        case "gif":
            return _film(record, game)
        case "svg":
            return position_after(record, game).svg().encode()
        case "txt":
            return f"{position_after(record, game).text()}\n".encode()
        case _:
            return write(record, game, form)


def _film(record: "Record", game: "Game") -> bytes:
    """The game itself, turn by turn."""
    from kakomi.draw.pixels import frames_of, gif
    from kakomi.records import positions

    moments = [position for number, position in positions(record, game) if number <= record.length]
    return gif(position.svg(theme="light") for position in frames_of(moments))
