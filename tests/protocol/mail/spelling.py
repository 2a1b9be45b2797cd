"""Random commands, and random ways of writing them: the inverse of reading the language."""

import random
import string

from kakomi import catalog
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board, Command
from kakomi.protocol.mail.language.terms import read_terms
from kakomi.protocol.mail.language.words import COMMANDS, command_named, commands_meant

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""The alphabet of tables' codes."""
WORDS = ("well", "played", "that", "corner", "is", "mine", "good", "luck", "see", "you", "in", "spring")


def random_board(rng: random.Random) -> Board:
    code = "".join(rng.choices(ALPHABET, k=10))
    return Board(rng.choice([code, str(rng.randrange(101, 30_000))]), rng.choice([None, None, 0, 3, 127]))


def random_turn(rng: random.Random) -> str:
    one = rng.choice(
        [
            lambda: f"{rng.randrange(18)},{rng.randrange(18)}",
            lambda: f"{rng.choice('abcdefghj')}{rng.randrange(1, 20)}",
            lambda: f"x{rng.choice('ABCDEFGH')}{rng.choice('KLMN')}{rng.randrange(1, 24)}",
        ]
    )
    return " ".join(one() for _ in range(rng.choice([1, 1, 2, 2, 3, 12])))


def random_name(rng: random.Random) -> str:
    return (
        rng.choice("bcdfgjkqvwz")
        + "".join(rng.choices(string.ascii_lowercase + "_.-", k=rng.randrange(2, 7)))
        + "7"
    )


def random_names(rng: random.Random, least: int = 1) -> tuple[str, ...]:
    return tuple(dict.fromkeys(random_name(rng) for _ in range(rng.randrange(least, 4))))


def random_text(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randrange(2, 12)))


def random_command(rng: random.Random) -> Command:
    """Any of the commands."""
    board, game = random_board(rng), rng.choice(["", *catalog.names()])
    which = rng.choice(["", "all", "active", "finished", "next"])
    return rng.choice(
        [
            lambda: commands.Help(tuple(rng.sample([*COMMANDS, *catalog.names()], rng.randrange(3)))),
            lambda: commands.Move(board, random_turn(rng)),
            lambda: commands.Move(board, random_turn(rng)),
            lambda: commands.NameKomi(board, rng.randrange(200)),
            lambda: commands.ChooseColour(board, rng.randrange(2)),
            lambda: rng.choice(
                [
                    commands.Swap, commands.Resign, commands.Withdraw, commands.Accept, commands.Reject,
                    commands.Unqueue, commands.Confirm, commands.Subscribe, commands.Unsubscribe,
                ]
            )(board),
            lambda: commands.Propose(board, rng.choice(["draw", "takeback", "pause", "resume"])),
            lambda: commands.Queue(board, random_turn(rng)),
            lambda: commands.Submit(board, random_turn(rng)),
            lambda: commands.Preview(board, random_turn(rng)),
            lambda: commands.Show((board, *random_names(rng, 0)), which),
            lambda: commands.Games(rng.choice(["", random_name(rng)]), game, which),
            lambda: commands.ListBoards(game),
            commands.ListGames,
            lambda: commands.SignUp(random_name(rng)),
            lambda: commands.Standings(game, random_names(rng, 0)),
            lambda: commands.History(rng.choice([board, random_name(rng)])),
            lambda: commands.Chat(board, random_text(rng)),
            lambda: commands.Message(random_names(rng), random_text(rng)),
            lambda: commands.Notify(rng.choice(commands.TOPICS), rng.random() < 0.5),
            lambda: commands.Limit(game, True, rng.choice([None, 0, 5])),
            lambda: rng.choice([random_challenge, random_seek])(rng),
        ]
    )()  # fmt: skip


def random_challenge(rng: random.Random) -> Command:
    people = random_names(rng)
    game = "rings" if len(people) > 1 else rng.choice(catalog.names())
    return commands.Challenge(read_terms(game, dict(random_parameters(rng, game)), len(people)), people)


def random_seek(rng: random.Random) -> Command:
    game = rng.choice(catalog.names())
    return commands.Seek(read_terms(game, dict(random_parameters(rng, game))), rng.randrange(1, 21))


def random_parameters(rng: random.Random, game: str) -> list[tuple[str, str]]:
    size = next(option for option in catalog.describe(game).options if option.name == "size")
    possible = [
        ("size", str(rng.choice(list(size.allowed_given({}))))),
        rng.choice([("days", str(rng.randrange(1, 31))), ("total", "60"), ("bank", "10+1/20")]),
        rng.choice([("rated", "yes"), ("unrated", "yes")]),
        ("games", str(rng.randrange(1, 21))),
    ]
    return rng.sample(possible, rng.randrange(len(possible) + 1))


def spelled(command: Command, rng: random.Random, *, is_first: bool = True) -> str:
    """A command as a person might write it, in one line; only the first of a mail may be abbreviated."""
    text = _spelled(command, rng)
    name, _, rest = text.partition(" ")
    full = name if command_named(name) or is_first else commands_meant(name)[0]
    return f"{full} {rest}".strip()


def _spelled(command: Command, rng: random.Random) -> str:
    match command:
        case commands.Help(topics):
            return line(rng, "help", *topics)
        case (
            commands.Move(board, text)
            | commands.Queue(board, text)
            | commands.Submit(board, text)
            | commands.Preview(board, text)
        ):
            return line(rng, type(command).__name__.lower(), *with_board(board, [text], rng))
        case commands.NameKomi(board, komi):
            return line(rng, "komi", *with_board(board, [str(komi)], rng))
        case commands.ChooseColour(board, player):
            return line(rng, "colour", *with_board(board, [("black", "WHITE")[player]], rng))
        case commands.Propose(board, "takeback") if rng.random() < 0.5:
            return line(rng, "undo", *with_board(board, [], rng))
        case commands.Propose(board, offer):
            return line(rng, "propose", *with_board(board, [offer], rng))
        case commands.Show(found, which):
            names = [named(name) if isinstance(name, Board) else name for name in found]
            return line(
                rng, "show", *shuffled(rng, [*names, *([which] if which else [])], keep=bool(which) is False)
            )
        case commands.Games(person, game, which):
            return line(rng, "games", *filter(None, [game, person, which]))
        case commands.ListBoards(game):
            return line(rng, "list", *filter(None, [game]))
        case commands.ListGames():
            return line(rng, "types")
        case commands.SignUp(name):
            return line(rng, "signup", name)
        case commands.Standings(game, people):
            return line(rng, "standings", *filter(None, [game]), *people)
        case commands.History(Board() as board):
            return line(rng, "history", *with_board(board, [], rng))
        case commands.History(person):
            return line(rng, "history", person)
        case commands.Chat(board, text):
            return line(rng, "chat", named(board), text)
        case commands.Message(people, text):
            return line(rng, "message", rng.choice([", ", " "]).join(people) + ":", text)
        case commands.Notify(topic, wanted):
            return line(rng, "notify", topic, "on" if wanted else "off")
        case commands.Limit(game, True, most):
            return line(
                rng, "limit", *filter(None, [game]), {None: "accept", 0: "reject"}.get(most, str(most))
            )
        case commands.Challenge(terms, people):
            return line(
                rng, "challenge", terms.game, *shuffled(rng, [*people, *parameters(terms, rng)], keep=True)
            )
        case commands.Seek(terms, times):
            return line(rng, "seek", terms.game, str(times), *parameters(terms, rng))
        case commands.Limit():
            raise AssertionError("a limit that changes nothing is not made")
        case commands.PreviewNew() | commands.StopSeeking():
            raise AssertionError("these are not made")
        case _:
            return line(rng, type(command).__name__.lower(), *with_board(command.board, [], rng))


def parameters(terms: commands.Terms, rng: random.Random) -> list[str]:
    """The terms as parameters, except what follows from the number of people."""
    usual = catalog.game(terms.game, size=terms.options["size"]).options
    given: dict[str, object] = {
        name: value for name, value in terms.options.items() if name != "players" and usual[name] != value
    }
    given["size"] = terms.options["size"]
    if terms.time:
        day = 86400
        more = f"{terms.time.increment / day:g}/{terms.time.cap / day:g}"
        bank = f"{terms.time.initial / day:g}+{more}"
        given |= {
            "days": {"days": f"{terms.time.initial / day:g}"},
            "total": {"total": f"{terms.time.initial / day:g}"},
            "bank": {"bank": bank},
        }[terms.time.kind]
    if terms.is_rated is not None:
        given["rated"] = "yes" if terms.is_rated else "no"
    if terms.games != 1:
        given["games"] = terms.games
    sign = rng.choice(["-", "--", "—", "–"])
    return [f"{sign}{name}={value}" for name, value in given.items()]


def shuffled(rng: random.Random, words: list[str], *, keep: bool) -> list[str]:
    """The words in another order, unless the order matters."""
    return words if keep else rng.sample(words, len(words)) if len(words) < 3 else words


def named(board: Board) -> str:
    return board.code if board.turns is None else f"{board.code}#{board.turns}"


def with_board(board: Board, words: list[str], rng: random.Random) -> list[str]:
    """A board and the words after it, with the `#` number after either."""
    if board.turns is not None and words and rng.random() < 0.5:
        return [board.code, *words, f"#{board.turns}"]
    return [named(board), *words]


def line(rng: random.Random, command: str, *words: str) -> str:
    """A command with its words, its name perhaps abbreviated, in another language, or in capitals."""
    names = [command, *COMMANDS[command]]
    short = [
        command[:length]
        for length in range(3, len(command))
        if commands_meant(command[:length]) == (command,)
    ]
    name = rng.choice([command, command, command.upper(), command.capitalize(), *names, *short])
    return " ".join([name, *words])
