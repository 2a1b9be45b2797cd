"""The grammar of each command: from the words after its name to a typed command."""

import re
from collections.abc import Callable

from kakomi import catalog
from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board, BoardFilter, Command
from kakomi.protocol.mail.language.arguments import (
    LONGEST_NAME,
    NO_PASSWORD,
    Arguments,
    CommandError,
    board_in,
    names,
    number_in,
    split_turns,
)
from kakomi.protocol.mail.language.board_readers import (
    plain,
    read_board,
    read_board_and_turn,
    read_colour,
    read_komi,
    read_pass,
    read_proposal,
    read_queue,
    read_undo,
    with_turn,
)
from kakomi.protocol.mail.language.terms import parameter_meant, read_terms, split_parameters
from kakomi.protocol.mail.language.words import (
    COMMANDS,
    NO_GAMES,
    NO_LIMIT,
    OFF,
    ON,
    PBMSERV_COMMANDS,
    TOPICS,
    WHICH,
    close_name,
    commands_meant,
)

LONGEST_TEXT = 4_000
"""The most characters of a chat message or a private message."""
MOST_SEEKS = 20


def read_command(arguments: Arguments) -> Command:
    """Read the words as a command. Raises CommandError, with a sentence for the sender."""
    return _READERS[arguments.command](arguments)


def _help(arguments: Arguments) -> Command:
    topics = []
    for word in arguments.words:
        meant = commands_meant(word.lower())
        if word.lower() in catalog.names():
            topics.append(word.lower())
        elif len(meant) == 1:
            topics.append(meant[0])
        else:
            raise CommandError(_no_topic(word))
    return commands.Help(tuple(dict.fromkeys([*([arguments.game] if arguments.game else []), *topics])))


def _no_topic(word: str) -> str:
    if word.lower() in PBMSERV_COMMANDS:
        return PBMSERV_COMMANDS[word.lower()]
    close = close_name(word, (*COMMANDS, *catalog.names()))
    if close:
        return lazy_message(
            "there is no help on {word}; did you mean {close}?", word=truncated_repr(word), close=repr(close)
        )
    return lazy_message(
        "there is no help on {word}: 'help' lists all commands and games", word=truncated_repr(word)
    )


def _sign_up(arguments: Arguments) -> Command:
    if arguments.next == "up":  # as in "sign up ada"
        arguments.take()
    name = arguments.take()
    if not all("@" in word for word in arguments.words[1:]):  # with pbmserv, addresses follow a password
        raise CommandError(lazy_message("signup takes only the name you want"))
    if arguments.words:
        arguments.notes.append(NO_PASSWORD)
    return commands.SignUp(name[:LONGEST_NAME])


def _challenge(arguments: Arguments) -> Command:
    game = arguments.need_game()
    given, others = split_parameters(arguments.words)
    people = names(others)
    if not people:
        raise CommandError(lazy_message("who do you want to challenge? Add their names after the game"))
    return commands.Challenge(read_terms(game, given, len(people)), people)


def _seek(arguments: Arguments) -> Command:
    if arguments.next in OFF:
        arguments.take()
        return commands.StopSeeking(arguments.take_game())
    game = arguments.need_game()
    arguments.drop_credentials()
    given, others = split_parameters(arguments.words)
    times = given.pop("times", others.pop(0) if others else "1")
    if (
        others
        or not re.fullmatch(r"\d{1,2}|off|no|stop|aus", times, re.ASCII)
        or (times.isdecimal() and int(times) > MOST_SEEKS)
    ):
        raise lazy_error(
            CommandError,
            "after the game, add the number of games you want, up to {most}, and parameters such "
            "as {example}",
            most=MOST_SEEKS,
            example="-days=3",
        )
    if not times.isdecimal() or int(times) == 0:
        return commands.StopSeeking(game)
    return commands.Seek(read_terms(game, given), int(times))


_SPECIAL_TURNS = ("swap", "resign", "propose", "undo", "accept", "reject", "withdraw")
"""Words that pbmserv takes in place of a turn."""


def _move_or_special(arguments: Arguments) -> Command:
    """Read a turn, or a word that is itself a command: `move BOARD resign`."""
    board, text = read_board_and_turn(arguments)
    word, *words = text.split()
    if word.lower() not in _SPECIAL_TURNS:
        return commands.Move(board, text)
    at = "" if board.turns is None else f"#{board.turns}"
    again = Arguments(word.lower(), " ".join([f"{board.code}{at}", *words]), arguments.context)
    command = read_command(again)
    arguments.notes += again.notes
    return command


def _preview(arguments: Arguments) -> Command:
    is_new = arguments.next in ("new", "neu") or arguments.next in catalog.names()
    if not is_new and (not arguments.game or board_in(arguments.next)):
        return commands.Preview(*read_board_and_turn(arguments))
    game = arguments.take_game()
    if arguments.next in ("new", "neu"):
        arguments.take()
    game = game or arguments.need_game()
    given, others = split_parameters(arguments.words)
    if others and others[0].isdecimal() and "," not in others[0]:
        players = others.pop(0)
        has_players = any(option.name == "players" for option in catalog.describe(game).options)
        if has_players and "players" not in map(parameter_meant, given):
            given["players"] = players
    return commands.PreviewNew(read_terms(game, given), " ".join(others))


def _show(arguments: Arguments) -> Command:
    which = _which(arguments)
    found: list[Board | str] = []
    for word in arguments.words:
        board = board_in(word)
        found += [Board(board, split_turns(word)[1])] if board else names([word])
    if not found and not which and arguments.context.code:
        found.append(Board(arguments.context.code))
    return commands.Show(tuple(found), which, arguments.game)


def _which(arguments: Arguments) -> BoardFilter:
    """Take out the first word that says which boards are wanted."""
    for place, word in enumerate(arguments.words):
        if word.lower() in WHICH:
            del arguments.words[place]
            return WHICH[word.lower()]
    return ""


def _games(arguments: Arguments) -> Command:
    which = _which(arguments)
    game = arguments.take_game(anywhere=True)
    people = names(arguments.words)
    if len(people) > 1:
        raise CommandError(lazy_message("list the boards of one player at a time"))
    return commands.Games(people[0] if people else "", game, which)


def _list(arguments: Arguments) -> Command:
    if arguments.next in ("games", "types", "spiele"):
        return commands.ListGames()
    game = arguments.take_game()
    if arguments.words:
        raise lazy_error(
            CommandError,
            "list takes one of {games}, or nothing; 'games NAME' lists a player’s boards",
            games=", ".join(catalog.names()),
        )
    return commands.ListBoards(game)


def _types(arguments: Arguments) -> Command:
    arguments.none_left()
    return commands.ListGames()


def _standings(arguments: Arguments) -> Command:
    return commands.Standings(arguments.take_game(), names(arguments.words))


def _history(arguments: Arguments) -> Command:
    if board_in(arguments.next) or (not arguments.words and arguments.context.code):
        return commands.History(read_board(arguments))
    people = names(arguments.words)
    if len(people) > 1:
        raise CommandError(lazy_message("list the history of one board or one player at a time"))
    return commands.History(people[0] if people else "")


def _chat(arguments: Arguments) -> Command:
    number, context = number_in(split_turns(arguments.next)[0]), arguments.context
    board = arguments.board(takes_number=not context.code or context.plays_at(number), has_text=True)
    if arguments.has_board and len(arguments.words) == 2 and arguments.context.is_sender(arguments.next):
        arguments.drop_credentials()
        return commands.Chat(board, _bounded(arguments.below.strip()))
    return commands.Chat(board, _bounded(arguments.text()))


def _message(arguments: Arguments) -> Command:
    head, colon, text = arguments.line.partition(":")
    arguments.words = head.split()
    arguments.drop_credentials(words_left=1)
    people = names(arguments.words)
    if not people:
        raise lazy_error(
            CommandError,
            "who is the message for? Add names after “message”, and the text after a colon or below",
        )
    return commands.Message(
        people, _bounded(text.strip() if colon and text.strip() else arguments.below.strip())
    )


def _bounded(text: str) -> str:
    if not text:
        raise CommandError(lazy_message("the message is empty: write the text on the same line or below"))
    if len(text) > LONGEST_TEXT:
        raise CommandError(lazy_message("the text has more than {most} characters", most=LONGEST_TEXT))
    return text


def _unsubscribe(arguments: Arguments) -> Command:
    board = arguments.board(needs=False)
    arguments.none_left()
    return commands.Unsubscribe(board)


def _notify(arguments: Arguments) -> Command:
    if not arguments.words:
        return commands.Notify()
    topic = "" if arguments.next in (*ON, *OFF) else arguments.take().lower()
    topic = TOPICS.get(topic, topic)
    if topic and topic not in commands.TOPICS:
        raise lazy_error(
            CommandError,
            "there are no emails about {word}; topics are {topics}",
            word=truncated_repr(topic),
            topics=", ".join(commands.TOPICS),
        )
    wanted = arguments.take().lower() or "on"
    if wanted not in (*ON, *OFF) or arguments.words:
        raise lazy_error(
            CommandError, "write 'on' or 'off' after the topic, not {word}", word=truncated_repr(wanted)
        )
    return commands.Notify(topic, wanted in ON)


def _limit(arguments: Arguments) -> Command:
    game = arguments.take_game()
    arguments.drop_credentials()
    if not arguments.words:
        return commands.Limit(game)
    word = arguments.next
    if word in (*NO_LIMIT, *NO_GAMES):
        arguments.take()
        arguments.none_left()
        return commands.Limit(game, True, 0 if word in NO_GAMES else None)
    most = arguments.number(lazy_message("a limit"), 0, 999)
    arguments.none_left()
    return commands.Limit(game, True, most)


_READERS: dict[str, Callable[[Arguments], Command]] = {
    "help": _help,
    "signup": _sign_up,
    "challenge": _challenge,
    "move": _move_or_special,
    "pass": read_pass,
    "komi": read_komi,
    "colour": read_colour,
    "swap": plain(commands.Swap),
    "resign": plain(commands.Resign),
    "propose": read_proposal,
    "undo": read_undo,
    "withdraw": plain(commands.Withdraw),
    "accept": plain(commands.Accept),
    "reject": plain(commands.Reject),
    "queue": read_queue,
    "unqueue": plain(commands.Unqueue),
    "preview": _preview,
    "submit": with_turn(commands.Submit),
    "confirm": plain(commands.Confirm),
    "show": _show,
    "games": _games,
    "list": _list,
    "types": _types,
    "standings": _standings,
    "history": _history,
    "chat": _chat,
    "message": _message,
    "subscribe": plain(commands.Subscribe),
    "unsubscribe": _unsubscribe,
    "notify": _notify,
    "limit": _limit,
    "seek": _seek,
}
