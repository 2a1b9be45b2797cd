"""Records on the command line: reading them, and lines about them and their positions."""

from typing import IO, TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import checked_game_name, chosen_options, game_line

if TYPE_CHECKING:
    from kakomi.core import Game, Position
    from kakomi.records import Record

file_argument = click.argument("file", type=click.File("rb"))
"""A file to read, - for standard input."""

optional_file_argument = click.argument("file", type=click.File("rb"), required=False)
"""The same, for a command that accepts a position instead."""

game_option = click.option(
    "--game",
    "name",
    metavar="NAME",
    default="",
    help="The game, if an SGF file doesn't name it; its options can follow, such as --komi 8.",
)


def check_file_or_position(ctx: click.Context, file: IO[bytes] | None, position_text: str | None) -> None:
    """Raise UsageError unless exactly one of file and position is given."""
    if (file is None) == (position_text is None):
        raise click.UsageError("name either a FILE with a game, or --position TEXT with --game NAME", ctx)


def opened_record(ctx: click.Context, file: IO[bytes], name: str) -> tuple["Record", "Game"]:
    """Read the record in a file and return it with its game. Raises ClickException saying what is wrong."""
    from kakomi import catalog, records

    source = click.format_filename(getattr(file, "name", None) or "<stdin>")
    try:
        named = checked_game_name(name) if name else ""
        reading, given = records.Reading(), chosen_options(ctx)
        record = records.read(records.read_bytes(file), catalog.game, named, reading, **given)
        for message in reading.warnings:
            click.echo(f"{source}: {message}", err=True)
        return record, records.game_of(record, catalog.game)
    except records.RecordError as error:
        advice = "" if name else _game_advice(str(error))
        raise click.ClickException(f"{source}: {error}{advice}") from None


def _game_advice(error: str) -> str:
    """Return advice for a record that doesn't name its game."""
    return " with --game NAME" if error.endswith("name the game") else ""


def heading(record: "Record", game: "Game") -> list[str]:
    """Return lines on the game as a whole: what was played, by whom, when, under which terms."""
    lines = [game_line(game), _seated(record, game)]
    lines.append(" · ".join(text for text in (record.event, record.date) if text))
    if agreed := record.negotiation:
        names = game.player_names
        lines.append(
            f"{names[agreed.named_by]} named a {agreed.option} of {agreed.value}, "
            f"and the other player chose {names[agreed.chosen_by]}"
        )
    if record.swapped_after is not None:
        lines.append(f"Colours swapped after turn {record.swapped_after} (not part of the game's rules)")
    if match := record.match:
        points = zip(game.player_names, match.points, strict=True)
        before = ", ".join(f"{name} {score}" for name, score in points)
        lines.append(f"Game {match.game} of {match.games}; points before it: {before}")
    return [line for line in lines if line]


def caption(record: "Record", number: int, before: "Position | None", position: "Position") -> list[str]:
    """Return lines on the position after a turn: turn, scores, player to act or result, comments."""
    game, comment = position.game, record.turns[number - 1].comment if number else record.comment
    lines = [f"{_reached(record, number, before)}: {position.scores_in_words()}"]
    if number == record.length and record.result:
        lines.append(record.result.in_words(game.player_names))
    elif not position.is_over:
        lines.append(_to_play(position))
    if others := record.tree.followers[number][1:]:
        lines.append(f"Variations here: turn {', '.join(str(other) for other in others)}")
    return lines + comment.splitlines()


def position_caption(position: "Position") -> list[str]:
    """Return lines on a position without a record."""
    return [position.scores_in_words(), "The game is over" if position.is_over else _to_play(position)]


def _to_play(position: "Position") -> str:
    game = position.game
    return f"{game.player_names[position.to_move]} to move: {game.description.explain.expects(position)}"


def _seated(record: "Record", game: "Game") -> str:
    people = [seat.name or seat.bot for seat in record.seats]
    return " · ".join(f"{name}: {who}" for who, name in zip(people, game.player_names, strict=False) if who)


def _reached(record: "Record", number: int, before: "Position | None") -> str:
    if before is None:
        return f"Start of {record.length} turns"
    game, turn = before.game, record.turns[number - 1]
    gains = before.gains([game.action(action) for action in turn.actions])
    told = " ".join(f"{action} {gain}".strip() for action, gain in zip(turn.actions, gains, strict=True))
    played = f"{game.player_names[turn.player]} {told}"
    if number <= record.length:
        return f"After turn {number} of {record.length} ({played})"
    branch = next(turn for turn in reversed(record.tree.line_to(number)) if turn <= record.length)
    return f"Turn {number}, in a variation from turn {branch} ({played})"
