"""`kakomi show`: a position of a recorded game."""

import json
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from kakomi.cli.shared.parameters import (
    GameCommand,
    game_line,
    general_option,
    position_of_game,
    position_option,
)
from kakomi.cli.shared.records import (
    caption,
    check_file_or_position,
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
def command(
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
