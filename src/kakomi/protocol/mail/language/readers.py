"""Each command's own grammar: the words behind its name to a typed command."""

import re
from collections.abc import Callable

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.core.wording import truncated_repr
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board, Command, Which
from kakomi.protocol.mail.language.arguments import (
    LONGEST_NAME,
    NO_PASSWORD,
    Arguments,
    Misread,
    board_in,
    names,
    number_in,
    split_turns,
)
from kakomi.protocol.mail.language.board_readers import (
    plain,
    read_board,
    read_colour,
    read_komi,
    read_pass,
    read_proposal,
    read_queue,
    read_turn,
    read_undo,
    with_turn,
)
from kakomi.protocol.mail.language.terms import parameter_meant, read_terms, split_parameters
from kakomi.protocol.mail.language.words import (
    COMMANDS,
    ELSEWHERE,
    NO_GAMES,
    NO_LIMIT,
    OFF,
    ON,
    TOPICS,
    WHICH,
    close_name,
    commands_meant,
)

LONGEST_TEXT = 4_000
"""Characters of a chat or a message."""
MOST_SEEKS = 20


def read_command(arguments: Arguments) -> Command:
    """The command that the words say. Raises Misread, with a sentence for the sender."""
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
            raise Misread(_no_topic(word))
    return commands.Help(tuple(dict.fromkeys([*([arguments.game] if arguments.game else []), *topics])))


def _no_topic(word: str) -> str:
    if word.lower() in ELSEWHERE:
        return ELSEWHERE[word.lower()]
    close = close_name(word, (*COMMANDS, *catalog.names()))
    if close:
        return lazy_message(
            "there is no help on {word}; did you mean {close}?", word=truncated_repr(word), close=repr(close)
        )
    return lazy_message(
        "there is no help on {word}: 'help' alone lists all commands and games", word=truncated_repr(word)
    )


def _sign_up(arguments: Arguments) -> Command:
    if arguments.next == "up":  # as in "sign up ada"
        arguments.take()
    name = arguments.take()
    if not all("@" in word for word in arguments.words[1:]):  # behind a password pbmserv has addresses
        raise Misread(lazy_message("signup takes the name that you want, and nothing more"))
    if arguments.words:
        arguments.notes.append(NO_PASSWORD)
    return commands.SignUp(name[:LONGEST_NAME])


def _challenge(arguments: Arguments) -> Command:
    game = arguments.need_game()
    given, others = split_parameters(arguments.words)
    people = names(others)
    if not people:
        raise Misread(lazy_message("whom do you challenge? Write their names behind the game"))
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
        raise Misread(
            lazy_message(
                "behind the game stands how many games you seek, up to {most}, and parameters such as "
                "{example}",
                most=MOST_SEEKS,
                example="-days=3",
            )
        )
    if not times.isdecimal() or int(times) == 0:
        return commands.StopSeeking(game)
    return commands.Seek(read_terms(game, given), int(times))


_SPECIAL_TURNS = ("swap", "resign", "propose", "undo", "accept", "reject", "withdraw")
"""What pbmserv takes in place of a turn."""


def _move_or_special(arguments: Arguments) -> Command:
    """A turn, or one of the words that are commands themselves: `move BOARD resign`."""
    board, text = read_turn(arguments)
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
        return commands.Preview(*read_turn(arguments))
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


def _which(arguments: Arguments) -> Which:
    """The one word among all that says which boards, taken out."""
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
        raise Misread(lazy_message("the boards of one person are listed at a time"))
    return commands.Games(people[0] if people else "", game, which)


def _list(arguments: Arguments) -> Command:
    if arguments.next in ("games", "types", "spiele"):
        return commands.ListGames()
    game = arguments.take_game()
    if arguments.words:
        raise Misread(
            lazy_message(
                "list takes a game, of {games}, or nothing; 'games NAME' lists somebody's boards",
                games=", ".join(catalog.names()),
            )
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
        raise Misread(lazy_message("the history of one board or of one person is listed at a time"))
    return commands.History(people[0] if people else "")


def _chat(arguments: Arguments) -> Command:
    number, context = number_in(split_turns(arguments.next)[0]), arguments.context
    board = arguments.board(takes_number=not context.code or context.plays_at(number))
    if arguments.has_board and len(arguments.words) == 2 and arguments.context.is_sender(arguments.next):
        arguments.drop_credentials()
        return commands.Chat(board, _bounded(arguments.below.strip()))
    return commands.Chat(board, _text(arguments))


def _message(arguments: Arguments) -> Command:
    head, colon, text = arguments.line.partition(":")
    arguments.words = head.split()
    arguments.drop_credentials(words_left=1)
    people = names(arguments.words)
    if not people:
        raise Misread(
            lazy_message("to whom? Write names behind message, and the text behind a colon or below")
        )
    return commands.Message(
        people, _bounded(text.strip() if colon and text.strip() else arguments.below.strip())
    )


def _text(arguments: Arguments) -> str:
    return _bounded(arguments.text())


def _bounded(text: str) -> str:
    if not text:
        raise Misread(lazy_message("there is nothing to say: write the text in the same line or below"))
    if len(text) > LONGEST_TEXT:
        raise Misread(lazy_message("the text has more than {most} characters", most=LONGEST_TEXT))
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
        raise Misread(
            lazy_message(
                "{word} is nothing that one is told of by mail; there are {topics}",
                word=truncated_repr(topic),
                topics=", ".join(commands.TOPICS),
            )
        )
    wanted = arguments.take().lower() or "on"
    if wanted not in (*ON, *OFF) or arguments.words:
        raise Misread(
            lazy_message("write 'on' or 'off' behind the topic, not {word}", word=truncated_repr(wanted))
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
