"""Files of games: `kakomi show` draws a position, `kakomi replay` steps through a game, and `kakomi convert`
changes its format.
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from kakomi.cli.analyse import MOST_PLAYOUTS
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
  kakomi show game.json --overlay immune        with immune stones marked
  kakomi show game.json --turn 30 --playouts 1000   who would probably own each point
  kakomi show game.json --svg > game.svg        as a picture
  kakomi show old.sgf --game lin --komi 8       an SGF file from another program
  zcat game.json.gz | kakomi show - --json      from a pipe, for a program
  kakomi show game.json --turn 12 --one-line    the position as a line of text
  kakomi show --game rin --size 4 --position "4/1b2/4/4 w left_in_turn=2"
""",
)
@optional_file_argument
@position_option
@click.option(
    "--turn",
    "number",
    type=click.IntRange(min=0),
    metavar="N",
    help="The board after turn N; 0 is the start.",
)
@click.option("--svg", "form", flag_value="svg", help="Print an SVG picture.")
@click.option("--json", "form", flag_value="json", help="Print the position as JSON, for programs.")
@click.option("--one-line", "form", flag_value="line", help="Print the position as a line of text.")
@click.option("--overlay", "overlays", multiple=True, metavar="NAME", help="Also mark this; repeatable.")
@click.option(
    "--playouts",
    type=click.IntRange(0, MOST_PLAYOUTS),
    default=0,
    metavar="N",
    help="Also show who will probably own each point, by N random games played on from here.",
)
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
    form: str | None,
    overlays: tuple[str, ...],
    playouts: int,
    theme: str,
    name: str,
) -> None:
    """Show a position from a saved game.

    FILE is a game in JSON or SGF; - reads standard input. You see how the game ended, or the board after
    --turn N; --position shows a position without a game. Turns of variations are numbered after those of the
    game itself, and listed where they branch off.
    """
    from kakomi.cli.shared.output import announced_compiling

    check_file_or_position(ctx, file, position_text)
    with announced_compiling():
        if file is None:
            if number is not None:
                raise click.UsageError("--turn needs a FILE", ctx)
            shown = _shown_position(position_of_game(ctx, name, position_text or ""))
        else:
            shown = _shown_turn(*opened_record(ctx, file, name), number)
    try:
        click.echo(_drawn(shown, form, theme, overlays, playouts))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


class _Shown(NamedTuple):
    """A position and its caption."""

    position: "Position"
    lines: list[str]
    """The lines above a drawing with characters."""
    data: dict[str, Any]
    """Data for programs, besides the position."""


def _drawn(shown: _Shown, form: str | None, theme: str, overlays: tuple[str, ...], playouts: int) -> str:
    """Return a position in one of the forms. Raises ValueError for an unknown overlay."""
    from kakomi.cli.shared.output import has_colours

    position = shown.position
    if playouts and form != "line":
        return _drawn_with_owners(shown, form, theme, overlays, playouts)
    match form:
        case "svg":
            return position.svg(theme=theme, overlays=overlays)
        case "json":
            return json.dumps({**shown.data, **_position_data(position)}, ensure_ascii=False)
        case "line":
            return str(position)
    return "\n".join([*shown.lines, "", position.text(colour=has_colours(), overlays=overlays)])


def _drawn_with_owners(
    shown: _Shown, form: str | None, theme: str, overlays: tuple[str, ...], playouts: int
) -> str:
    from kakomi.analysis import ownership, ownership_overlay
    from kakomi.cli.analysis_report import ownership_lines
    from kakomi.draw.svg import draw_svg

    position = shown.position
    scene, owned = position.scene(overlays=overlays), ownership(position, playouts)
    match form:
        case "svg":
            likely = ownership_overlay(position, owned)
            return draw_svg(replace(scene, overlays=(*scene.overlays, likely)), theme)
        case "json":
            told = {**shown.data, **_position_data(position), **owned.to_json()}
            return json.dumps(told, ensure_ascii=False)
    return "\n".join([*shown.lines, *ownership_lines(position, owned, overlays)])


def _shown_position(position: "Position") -> _Shown:
    game = position.game
    lines = [game_line(game), "", *position_caption(position)]
    return _Shown(position, lines, {"game": game.name, "options": dict(game.options)})


def _shown_turn(record: "Record", game: "Game", number: int | None) -> _Shown:
    from kakomi.records import position_after

    number = record.length if number is None else number
    if number > len(record.turns):
        raise click.BadParameter(f"the game has {len(record.turns)} turns", param_hint="--turn")
    before = position_after(record, game, record.tree.before[number]) if number else None
    position = position_after(record, game, number)
    lines = [*heading(record, game), "", *caption(record, number, before, position)]
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
        "contested": position.contested(),
    }


LONGEST_DELAY = 3600
_BACK = {"b", "p", "\x7f", "\x08", "\x1b[D", "\x1b[A"}
_QUIT = {"q", "Q", "\x1b"}


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi replay game.json               one position per second
  kakomi replay game.sgf --delay 0.2    faster
  kakomi replay game.json --step        at your own pace
  kakomi replay game.json | less        all positions, one after the other
""",
)
@file_argument
@click.option(
    "--delay",
    type=FiniteRange(0, LONGEST_DELAY),
    default=1.0,
    show_default=True,
    metavar="S",
    help="Seconds per position.",
)
@click.option("--step", is_flag=True, help="Wait for a key: b goes back, q quits, any other key goes on.")
@game_option
@general_option
@click.pass_context
def replay(ctx: click.Context, file: IO[bytes], delay: float, step: bool, name: str) -> None:
    """Step through a saved game.

    FILE is a game in JSON or SGF; - reads standard input. A file or a pipe gets all positions at once.
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
    """Yield each position of the main line, with its caption."""
    from kakomi.cli.shared.output import has_colours
    from kakomi.records import positions

    before = None
    for number, position in positions(record, game):
        if number > record.length:
            return
        yield "\n".join([*caption(record, number, before, position), "", position.text(colour=has_colours())])
        before = position


def _timed(top: str, pages: Iterator[str], delay: float) -> None:
    for number, page in enumerate(pages):
        if number:
            time.sleep(delay)
        _turn_to(top, page)


def _stepped(top: str, pages: list[str]) -> None:
    at = 0
    while at < len(pages):
        _turn_to(top, pages[at])
        click.echo("\nany key: next   b: back   q: quit", err=True)
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
  kakomi convert game.sgf game.svg                a picture of the final position
  kakomi convert game.json game.png               the same in pixels
  kakomi convert game.json game.gif               an animation of the game
  kakomi convert old.sgf game.json --game ren     an SGF file from another program
  cat game.sgf | kakomi convert - - --to json     between pipes
""",
)
@click.argument("source", metavar="IN", type=click.File("rb"))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--to", "form", type=click.Choice(FORMS), help="The format, if OUT's name doesn't say.")
@game_option
@general_option
@click.pass_context
def convert(ctx: click.Context, source: IO[bytes], target: str, form: str | None, name: str) -> None:
    """Convert a saved game to another format.

    IN is a game in JSON or SGF; - is a pipe. JSON and SGF keep the whole game with comments and variations;
    svg, png and txt draw the final position, and gif animates the game. SGF is for two-player games on square
    boards.
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
        raise click.UsageError(f"OUT's name doesn't say the format: add --to {', '.join(FORMS)}")
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
    """Return the main line as an animated GIF."""
    from kakomi.draw.pixels import frames_of, gif
    from kakomi.records import positions

    moments = [position for number, position in positions(record, game) if number <= record.length]
    return gif(position.svg(theme="light") for position in frames_of(moments))
