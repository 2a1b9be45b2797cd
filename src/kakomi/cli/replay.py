"""`kakomi replay`: a recorded game, position by position."""

import sys
import time
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import FiniteRange, GameCommand, general_option
from kakomi.cli.shared.records import caption, file_argument, game_option, heading, opened_record

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.records import Record

LONGEST_DELAY = 3600
_BACK = {"b", "p", "\x7f", "\x08", "\x1b[D", "\x1b[A"}
_QUIT = {"q", "Q", "\x1b"}


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi replay game.json               a position a second
  kakomi replay game.sgf --delay 0.2    faster
  kakomi replay game.json --step        at your own pace
  kakomi replay game.json | less        all positions, one below the other
""",
)
@file_argument
@click.option(
    "--delay",
    type=FiniteRange(0, LONGEST_DELAY),
    default=1.0,
    show_default=True,
    metavar="S",
    help="Seconds that each position stays.",
)
@click.option("--step", is_flag=True, help="Wait for a key: b goes back, q stops, any other goes on.")
@game_option
@general_option
@click.pass_context
def command(ctx: click.Context, file: IO[bytes], delay: float, step: bool, name: str) -> None:
    """Walk through the recorded game in FILE (JSON or SGF; - is standard input).

    Into a file or a pipe go all positions at once.
    """
    from kakomi.cli.shared.output import announced_compiling

    with announced_compiling():
        record, game = opened_record(ctx, file, name)
    top, pages = "\n".join(heading(record, game)), _pages(record, game)
    if not sys.stdout.isatty():
        click.echo(top)
        for page in pages:
            click.echo(f"\n{page}")
    elif step:
        _stepped(top, list(pages))
    else:
        _timed(top, pages, delay)


def _pages(record: "Record", game: "Game") -> Iterator[str]:
    """Each position of the main line, with its caption."""
    from kakomi.cli.shared.output import has_colours
    from kakomi.records import positions

    for number, position in positions(record, game):
        if number > record.length:
            return
        yield "\n".join([*caption(record, number, position), "", position.text(colour=has_colours())])


def _timed(top: str, pages: Iterator[str], delay: float) -> None:
    for number, page in enumerate(pages):
        if number:
            time.sleep(delay)
        _turn_to(top, page)


def _stepped(top: str, pages: list[str]) -> None:
    at = 0
    while at < len(pages):
        _turn_to(top, pages[at])
        click.echo("\nany key: on   b: back   q: stop", err=True)
        try:
            key = click.getchar()
        except EOFError:
            return
        if key in _QUIT:
            return
        at = max(0, at - 1) if key in _BACK else at + 1


def _turn_to(top: str, page: str) -> None:
    click.clear()
    click.echo(f"{top}\n\n{page}")
