"""None"""

from typing import IO, TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import chosen_options, game_line, known

if TYPE_CHECKING:
    from kakomi.core import Game, Position
    from kakomi.records import Record

file_argument = click.argument("file", type=click.File("rb"))
"""A file to read, - for standard input."""

optional_file_argument = click.argument("file", type=click.File("rb"), required=False)
"""The same, for a command that a position may be given instead."""

game_option = click.option(
    "--game",
    "name",
    metavar="NAME",
    default="",
    help="The game, for an SGF file that doesn't say it; its options may follow, such as --komi 8.",
)


def check_file_or_position(ctx: click.Context, file: IO[bytes] | None, position_text: str | None) -> None:
    """Raises UsageError unless exactly one of them is given."""
    if (file is None) == (position_text is None):
        raise click.UsageError("give either a FILE with a game, or --position TEXT with --game NAME", ctx)


def opened_record(ctx: click.Context, file: IO[bytes], name: str) -> tuple["Record", "Game"]:
    """The record in a file and its game. Raises ClickException saying what is wrong with the file."""
    from kakomi import catalog, records

    source = click.format_filename(getattr(file, "name", None) or "<stdin>")
    try:
        named = known(name) if name else ""
        reading, given = records.Reading(), chosen_options(ctx)
        record = records.read(records.read_bytes(file), catalog.game, named, reading, **given)
        for message in reading.warnings:
            click.echo(f"{source}: {message}", err=True)
        return record, records.game_of(record, catalog.game)
    except records.RecordError as error:
        advice = "" if name else _game_advice(str(error))
        raise click.ClickException(f"{source}: {error}{advice}") from None


def _game_advice(error: str) -> str:
    """Advice for a record that doesn't say its game."""
    return " with --game NAME" if error.endswith("name the game") else ""


def heading(record: "Record", game: "Game") -> list[str]:
    """Lines on the game as a whole: what was played, by whom, when, under which terms."""
    lines = [game_line(game), _seated(record, game)]
    lines.append(" · ".join(text for text in (record.event, record.date) if text))
    if agreed := record.negotiation:
        names = game.player_names
        lines.append(
            f"{names[agreed.named_by]} named the {agreed.option}, {agreed.value}; "
            f"the other then chose {names[agreed.chosen_by]}"
        )
    if record.swapped_after is not None:
        lines.append(f"Seats exchanged after turn {record.swapped_after} (no part of the game's rules)")
    if match := record.match:
        lines.append(f"Game {match.game} of {match.games}; brought along: {scored(match.points, game)}")
    return [line for line in lines if line]


def caption(record: "Record", number: int, position: "Position") -> list[str]:
    """Lines on the position after a turn: where it is, who is to act or how it ended, what was said."""
    game, comment = position.game, record.turns[number - 1].comment if number else record.comment
    lines = [f"{_reached(record, number, game)}: {scored(position.scores(), game)}"]
    if number == record.length and record.result:
        lines.append(record.result.in_words(game.player_names))
    elif not position.is_over:
        lines.append(_to_play(position))
    if others := _variations(record, number):
        lines.append(f"Variations from here: turn {', '.join(str(other) for other in others)}")
    return lines + comment.splitlines()


def position_caption(position: "Position") -> list[str]:
    """Lines on a position that no record leads to."""
    scores = scored(position.scores(), position.game)
    return [scores, "The game is over" if position.is_over else _to_play(position)]


def _to_play(position: "Position") -> str:
    return f"{position.game.player_names[position.to_move]} to play: {_expected(position)}"


def scored(scores: "list[int | float] | tuple[int | float, ...]", game: "Game") -> str:
    """Scores with the players' names."""
    return ", ".join(f"{name} {score}" for name, score in zip(game.player_names, scores, strict=True))


def _seated(record: "Record", game: "Game") -> str:
    people = [seat.name or seat.bot for seat in record.seats]
    return " · ".join(f"{name}: {who}" for who, name in zip(people, game.player_names, strict=False) if who)


def _reached(record: "Record", number: int, game: "Game") -> str:
    if number == 0:
        return f"Start of {record.length} turns"
    turn = record.turns[number - 1]
    played = f"{game.player_names[turn.player]} {' '.join(turn.actions)}"
    if number <= record.length:
        return f"After turn {number} of {record.length} ({played})"
    branch = next(turn for turn in reversed(record.tree.line_to(number)) if turn <= record.length)
    return f"Turn {number}, in a variation from turn {branch} ({played})"


def _expected(position: "Position") -> str:
    expects: str = position.game.description.explain.expects(position)
    return expects


def _variations(record: "Record", number: int) -> list[int]:
    return record.tree.followers[number][1:]
