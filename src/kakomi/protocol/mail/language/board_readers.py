"""The grammar of commands for one board: turns, negotiation, offers, queued turns."""

import re
from collections.abc import Callable, Sequence

from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board, Command
from kakomi.protocol.mail.language.arguments import Arguments, CommandError, split_turns
from kakomi.protocol.mail.language.words import COLOURS, OFF, OFFERS
from kakomi.protocol.mail.turns import LONGEST, tidy_turn

MOST_KOMI = 99_999
_END = "end"
"""The action that ends a turn, where a turn may continue after a pass."""
_ACTION = re.compile(r"x?[a-z]{1,3}\d{1,3}|passe?n?|ende?|fertig|done", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,3},\d{1,3}(?:,\d{1,3},\d{1,3})*")


def read_pass(arguments: Arguments) -> Command:
    """Read a pass, alone or before the rest of a turn."""
    board = arguments.board()
    if not all(word.lower() == _END or _has_digit(word) for word in arguments.words):
        arguments.none_left()
    return commands.Move(board, " ".join(["pass", *arguments.words]))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def read_board_and_turn(arguments: Arguments) -> tuple[Board, str]:
    """Read a board and the text after it, which must not be empty."""
    board = arguments.board()
    if arguments.has_board and not looks_like_turn(arguments.words[:1]):
        arguments.drop_credentials()
    if not arguments.words:
        raise CommandError(lazy_message("{command} needs a move after the board", command=arguments.said))
    return board, " ".join(arguments.words)


def looks_like_turn(words: Sequence[str]) -> bool:
    """Return whether words look like actions, possibly with `#12` at the end."""
    text = " ".join(words)
    text = tidy_turn((split_turns(text)[0] if "#" in text else text)[:LONGEST])
    actions = re.sub(r"\s*,\s*", ",", re.sub(r"[()\[\]{};+&/|]", " ", text)).split()
    return (
        bool(actions)
        and all(_is_action(action.strip(",")) for action in actions)
        and any(_has_digit(action) or action.lower().startswith("pass") for action in actions)
    )


def _is_action(word: str) -> bool:
    return bool(_NUMBERS.fullmatch(word)) or all(_ACTION.fullmatch(part) for part in word.split(","))


def read_komi(arguments: Arguments) -> Command:
    """Read a komi; a number before it is the board's."""
    numbers = [word for word in arguments.words if not word.startswith("#")]
    board = arguments.board(takes_number=len(numbers) > 1)
    komi = arguments.number(lazy_message("a komi"), 0, MOST_KOMI)
    arguments.none_left()
    return commands.NameKomi(board, komi)


def read_colour(arguments: Arguments) -> Command:
    """Read the choice of a colour."""
    board = arguments.board()
    word = arguments.take()
    if word.lower() not in COLOURS:
        raise CommandError(lazy_message("choose black or white, not {word}", word=truncated_repr(word)))
    arguments.none_left()
    return commands.ChooseColour(board, COLOURS[word.lower()])


def colour_of(word: str) -> int | None:
    """Return the player whose colour a word names; None for other words."""
    return COLOURS.get(word.lower()) if not word.isdigit() else None


def read_proposal(arguments: Arguments) -> Command:
    """Read an offer by its name."""
    board = arguments.board()
    word = arguments.take()
    if word.lower() not in OFFERS:
        raise lazy_error(
            CommandError,
            "you can propose {offers}, not {word}",
            offers=", ".join(dict.fromkeys(OFFERS.values())),
            word=truncated_repr(word),
        )
    arguments.none_left()
    return commands.Propose(board, OFFERS[word.lower()])


def read_undo(arguments: Arguments) -> Command:
    """Read an offer to take a turn back."""
    return commands.Propose(read_board(arguments), "takeback")


def read_board(arguments: Arguments) -> Board:
    """Read a board with nothing after it."""
    board = arguments.board()
    arguments.none_left()
    return board


def plain(kind: Callable[[Board], Command]) -> Callable[[Arguments], Command]:
    """Return the reader of a command that takes only a board."""
    return lambda arguments: kind(read_board(arguments))


def with_turn(kind: Callable[[Board, str], Command]) -> Callable[[Arguments], Command]:
    """Return the reader of a command that takes a board and a turn."""
    return lambda arguments: kind(*read_board_and_turn(arguments))


def read_queue(arguments: Arguments) -> Command:
    """Read a turn to queue, or a word that empties the queue."""
    board, text = read_board_and_turn(arguments)
    return (
        commands.Unqueue(board)
        if text.lower() in (*OFF, "clear", "empty", "leer")
        else commands.Queue(board, text)
    )
