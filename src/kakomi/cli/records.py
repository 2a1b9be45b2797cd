"""Files of games: `kakomi show` draws a position, `kakomi replay` goes through a game, and `kakomi convert`
changes its format.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from kakomi.cli.shared.parameters import (
    FiniteRange,
    GameCommand,
    game_line,
    general_option,
    position_of_game,
    position_option,
)
from kakomi.cli.shared.records import (
    caption,
    check_file_or_position,
    file_argument,
    game_option,
    heading,
    opened_record,
    optional_file_argument,
    position_caption,
)

if TYPE_CHECKING:
    from kakomi.core import Game, Position
    from kakomi.records import Record


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi show game.json                         how the game ended
  kakomi show game.sgf --turn 12                the board after turn 12
  kakomi show game.json --overlay immune        with what is immune marked
  kakomi show game.json --svg > game.svg        as a picture
  kakomi show old.sgf --game lin --komi 8       an SGF file of another program
  zcat game.json.gz | kakomi show - --json      from a pipe, for a program
  kakomi show game.json --turn 12 --one-line     the position as a line of text
  kakomi show --game rin --size 4 --position "4/1b2/4/4 w left_in_turn=2"
""",
)
@optional_file_argument
@position_option
@click.option(
    "--turn", "number", type=click.IntRange(min=0), metavar="N", help="After this turn; 0: the start."
)
@click.option("--text", "form", flag_value="text", default=True, help="Draw with characters (the default).")
@click.option("--svg", "form", flag_value="svg", help="Print an SVG picture.")
@click.option("--json", "form", flag_value="json", help="Print the position as data.")
@click.option("--one-line", "form", flag_value="line", help="Print the position as a line of text.")
@click.option("--overlay", "overlays", multiple=True, metavar="NAME", help="Mark this too; may be repeated.")
@click.option(
    "--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", help="Colours of the SVG."
)
@game_option
@general_option
@click.pass_context
def show(
    ctx: click.Context,
    file: IO[bytes] | None,
    position_text: str | None,
    number: int | None,
    form: str,
    overlays: tuple[str, ...],
    theme: str,
    name: str,
) -> None:
    """Draw the recorded game in FILE (JSON or SGF; - is standard input) as it ended, or after turn N, or
    the position that --position spells.

    Turns of variations have the numbers after those of the game itself: the drawing tells them.
    """
    from kakomi.cli.shared.output import announced_compiling

    check_file_or_position(ctx, file, position_text)
    with announced_compiling():
        if file is None:
            if number is not None:
                raise click.UsageError("--turn is for a FILE", ctx)
            shown = _of_text(position_of_game(ctx, name, position_text or ""))
        else:
            shown = _of_record(*opened_record(ctx, file, name), number)
    try:
        click.echo(_drawn(shown, form, theme, overlays))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


class _Shown(NamedTuple):
    """A position and its caption."""

    position: "Position"
    lines: list[str]
    """Above a drawing with characters."""
    data: dict[str, Any]
    """For programs, besides the position."""


def _drawn(shown: _Shown, form: str, theme: str, overlays: tuple[str, ...]) -> str:
    """A position in one of the forms. Raises ValueError for an unknown overlay."""
    from kakomi.cli.shared.output import has_colours

    position = shown.position
    match form:
        case "svg":
            return position.svg(theme=theme, overlays=overlays)
        case "json":
            return json.dumps({**shown.data, **_position_data(position)}, ensure_ascii=False)
        case "line":
            return str(position)
    return "\n".join([*shown.lines, "", position.text(colour=has_colours(), overlays=overlays)])


def _of_text(position: "Position") -> _Shown:
    game = position.game
    lines = [game_line(game), "", *position_caption(position)]
    return _Shown(position, lines, {"game": game.name, "options": dict(game.options)})


def _of_record(record: "Record", game: "Game", number: int | None) -> _Shown:
    from kakomi.records import position_after

    number = record.length if number is None else number
    if number > len(record.turns):
        raise click.BadParameter(f"the record has {len(record.turns)} turns", param_hint="--turn")
    position = position_after(record, game, number)
    lines = [*heading(record, game), "", *caption(record, number, position)]
    return _Shown(position, lines, _turn_data(record, number))


def _turn_data(record: "Record", number: int) -> dict[str, Any]:
    turn = record.turns[number - 1] if number else None
    return {
        "game": record.game,
        "options": dict(record.options),
        "turn": number,
        "turns": len(record.turns),
        "player": turn.player if turn else None,
        "actions": list(turn.actions) if turn else [],
        "comment": turn.comment if turn else record.comment,
    }


def _position_data(position: "Position") -> dict[str, Any]:
    return {
        "position": str(position),
        "to_move": None if position.is_over else position.to_move,
        "stones": position.stones(),
        "scores": position.scores(),
    }


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
def replay(ctx: click.Context, file: IO[bytes], delay: float, step: bool, name: str) -> None:
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
def convert(ctx: click.Context, source: IO[bytes], target: str, form: str | None, name: str) -> None:
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
