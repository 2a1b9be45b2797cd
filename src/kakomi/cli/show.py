"""`kakomi show`: a position of a recorded game."""

import json
from typing import IO, TYPE_CHECKING, Any

import click

from kakomi.cli.shared.games import GameCommand, general_option
from kakomi.cli.shared.recorded import caption, file_argument, game_option, heading, opened_record

if TYPE_CHECKING:
    from kakomi.core import Position
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
""",
)
@file_argument
@click.option(
    "--turn", "number", type=click.IntRange(min=0), metavar="N", help="After this turn; 0: the start."
)
@click.option("--text", "form", flag_value="text", default=True, help="Draw with characters (the default).")
@click.option("--svg", "form", flag_value="svg", help="Print an SVG picture.")
@click.option("--json", "form", flag_value="json", help="Print the position as data.")
@click.option("--overlay", "overlays", multiple=True, metavar="NAME", help="Mark this too; may be repeated.")
@click.option(
    "--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", help="Colours of the SVG."
)
@game_option
@general_option
@click.pass_context
def command(
    ctx: click.Context,
    file: IO[bytes],
    number: int | None,
    form: str,
    overlays: tuple[str, ...],
    theme: str,
    name: str,
) -> None:
    """Draw the recorded game in FILE (JSON or SGF; - is standard input) as it ended, or after turn N.

    Turns of variations have the numbers after those of the game itself: the drawing tells them.
    """
    from kakomi.cli.shared.colours import has_colours
    from kakomi.cli.shared.status import announced_compiling

    with announced_compiling():
        record, game = opened_record(ctx, file, name)
        number = record.length if number is None else number
        position = _position(record, game, number)
    try:
        match form:
            case "svg":
                click.echo(position.svg(theme=theme, overlays=overlays))
            case "json":
                click.echo(json.dumps(_data(record, number, position), ensure_ascii=False))
            case _:
                drawing = position.text(colour=has_colours(), overlays=overlays)
                lines = [*heading(record, game), "", *caption(record, number, position), "", drawing]
                click.echo("\n".join(lines))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


def _position(record: "Record", game: Any, number: int) -> "Position":
    from kakomi.records import position_after

    if number > len(record.turns):
        raise click.BadParameter(f"the record has {len(record.turns)} turns", param_hint="--turn")
    return position_after(record, game, number)


def _data(record: "Record", number: int, position: "Position") -> dict[str, Any]:
    """The position for programs."""
    turn = record.turns[number - 1] if number else None
    return {
        "game": record.game,
        "options": dict(record.options),
        "turn": number,
        "turns": len(record.turns),
        "player": turn.player if turn else None,
        "actions": list(turn.actions) if turn else [],
        "comment": turn.comment if turn else record.comment,
        "to_move": None if position.is_over else position.to_move,
        "stones": position.stones(),
        "scores": position.scores(),
    }
