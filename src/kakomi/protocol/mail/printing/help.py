"""Answers to `help`: what it says of every command, how it is written and what it does."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from kakomi import catalog
from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.protocol.mail.language.words import COMMANDS
from kakomi.protocol.mail.printing.blocks import (
    Block,
    Say,
    html_paragraph,
    joined,
    preformatted,
    sentence_block,
    wrapped,
)
from kakomi.protocol.mail.printing.rules import rules_block


@dataclass(frozen=True)
class HelpText:
    """Help on one command."""

    forms: tuple[str, ...]
    """How it is written; capital words stand for what is to be filled in, brackets round what may be left
    out."""
    what: LazyMessage


HELP: dict[str, HelpText] = {
    "help": HelpText(
        ("help", "help COMMAND", "help GAME"),
        lazy_message("Lists the commands, explains one, or prints the rules of a game."),
    ),
    "signup": HelpText(
        ("signup NAME",),
        lazy_message(
            "Asks for an account, whose turns come by mail. You get a mail and confirm it; no password is "
            "needed. What you play by mail you play on the pages as well, once you choose a password there."
        ),
    ),
    "challenge": HelpText(
        ("challenge GAME NAME ... [-PARAMETER=VALUE ...]",),
        lazy_message(
            "Asks people for a game. Their number, with yours, is the number of players. Parameters are "
            "those of the game (types lists them), and -days=3 for each turn, -total=60 for a game, or "
            "-bank=10+1/20; -nagtime=1 for the days after which the one to act is reminded; -games=2, -rated,"
            " -unrated or -handicap, -swap, -negotiate=no, -leavers=4. Where a game has a komi to negotiate,"
            " it is negotiated unless you give one. What you write below is said to those whom you"
            " challenge."
        ),
    ),
    "move": HelpText(
        ("move BOARD TURN", "move BOARD TURN #12"),
        lazy_message(
            "Plays a whole turn, its actions with spaces between them. The number behind # says how many "
            "turns you have seen; if there are more by now, nothing is played. In an answer to a mail about "
            "a board the turn alone will do. The end of a turn need not be written."
        ),
    ),
    "pass": HelpText(("pass [BOARD] [ACTIONS]",), lazy_message("Passes, where the game has a pass.")),
    "komi": HelpText(
        ("komi [BOARD] NUMBER",),
        lazy_message("Names the komi, where it is negotiated: then your opponent chooses a colour."),
    ),
    "colour": HelpText(
        ("colour [BOARD] black", "colour [BOARD] white"),
        lazy_message("Chooses your colour after the komi was named."),
    ),
    "swap": HelpText(
        ("swap [BOARD]",),
        lazy_message("Takes over the first turn's stones instead of playing, where the match allows it."),
    ),
    "resign": HelpText(
        ("resign [BOARD]",),
        lazy_message(
            "Gives the game up, on your turn or not. Before all have begun the game ends without a result."
        ),
    ),
    "propose": HelpText(
        (
            "propose [BOARD] draw",
            "propose [BOARD] takeback",
            "propose [BOARD] pause",
            "propose [BOARD] resume",
        ),
        lazy_message(
            "Asks the others for a draw, for your last turn back, to stop the clocks, or to let them run "
            "again. All who are asked have to accept; who plays on instead has rejected."
        ),
    ),
    "undo": HelpText(
        ("undo [BOARD]",), lazy_message("Asks to take your last turn back, as propose takeback does.")
    ),
    "withdraw": HelpText(
        ("withdraw [BOARD]",), lazy_message("Takes back your own offer, or your challenge.")
    ),
    "accept": HelpText(
        ("accept [BOARD]",),
        lazy_message(
            "Says yes to an offer, or to the challenge of that code. What you write below is said to the "
            "others."
        ),
    ),
    "reject": HelpText(
        ("reject [BOARD]",), lazy_message("Says no to an offer, or to the challenge of that code.")
    ),
    "queue": HelpText(
        ("queue [BOARD] TURN", "queue [BOARD] off"),
        lazy_message(
            "Keeps a turn that is played as soon as it is your turn, if it is legal then; else you are told."
        ),
    ),
    "unqueue": HelpText(("unqueue [BOARD]",), lazy_message("Drops the turn that is kept.")),
    "preview": HelpText(
        ("preview [BOARD][#12] TURNS", "preview new GAME [PLAYERS] [-PARAMETER=VALUE ...] TURNS"),
        lazy_message(
            "Shows the board after turns of anybody's, without playing them: from now on, from after turn "
            "12, or from the start of a game. Anybody may do that."
        ),
    ),
    "submit": HelpText(
        ("submit [BOARD] TURN",), lazy_message("Shows your turn and keeps it; confirm plays it.")
    ),
    "confirm": HelpText(("confirm [BOARD]",), lazy_message("Plays the turn that you have submitted.")),
    "show": HelpText(
        ("show", "show BOARD[#12] ...", "show NAME ... [all|active|finished|next]"),
        lazy_message("Prints boards: your own, those named, after a turn if you say so, or those of people."),
    ),
    "games": HelpText(
        ("games [NAME] [GAME] [all|active|finished|next]",),
        lazy_message("Lists somebody's boards, a line each."),
    ),
    "list": HelpText(("list [GAME]",), lazy_message("Lists who plays what, and who seeks a game.")),
    "types": HelpText(("types",), lazy_message("Lists the games and their parameters.")),
    "standings": HelpText(
        ("standings [GAME] [NAME ...]",),
        lazy_message("Prints ratings, with how sure they are and on how many games they rest."),
    ),
    "history": HelpText(
        ("history BOARD", "history [NAME]"),
        lazy_message("Prints all turns of a board, or somebody's finished games."),
    ),
    "chat": HelpText(
        ("chat [BOARD] TEXT",),
        lazy_message(
            "Says something to those at the board. Without a text in the line, all that follows is the text."
            " What you write below your turn is said there too."
        ),
    ),
    "message": HelpText(
        ("message NAME ...: TEXT",),
        lazy_message(
            "Writes to people, and to nobody else. They read it on the site, and are told of it. Without a "
            "text in the line, all that follows is the text."
        ),
    ),
    "subscribe": HelpText(
        ("subscribe BOARD",), lazy_message("Sends you every turn of a board that you watch.")
    ),
    "unsubscribe": HelpText(
        ("unsubscribe [BOARD]",),
        lazy_message("Sends you no more turns of it; without a board no more mails of that kind."),
    ),
    "notify": HelpText(
        ("notify", "notify TOPIC on", "notify TOPIC off"),
        lazy_message(
            "Shows or changes which mails you get: turns, reminders, results, challenges, seeks, chat,"
            " digest. Mails about seeks come once a day, for games over days that you play; mails about"
            " chat once a day for each board."
        ),
    ),
    "limit": HelpText(
        ("limit", "limit NUMBER", "limit accept", "limit reject"),
        lazy_message(
            "Shows or chooses how many games you want to play at once: while you play as many, nobody can "
            "challenge you. accept sets no limit, reject takes no challenges."
        ),
    ),
    "seek": HelpText(
        ("seek GAME [NUMBER] [-PARAMETER=VALUE ...]", "seek off [GAME]"),
        lazy_message("Waits for opponents, for one game or several, with parameters as challenge has them."),
    ),
}
"""Help on each of the commands, by its name."""


def help_block(topics: Sequence[str] = (), language: str = "en", say: Say = str) -> Block:
    """Help on topics as `Help` has them: all commands in short, a command in full, or a game with its
    rules."""
    if not topics:
        return _overview(say)
    return joined(
        [
            _game(topic, language, say) if topic in catalog.names() else _command(topic, say)
            for topic in topics
        ]
    )


def _overview(say: Say) -> Block:
    about = [
        lazy_message(
            "Write commands in the subject of a mail or in its text, a command in a line. A word may be "
            "cut short as "
            "long as it can mean one command only."
        ),
        lazy_message(
            "Answer a mail about a board with your turn alone, such as the example in it. A board is named "
            "by its number or by its code of ten letters and digits; in an answer about a board it may be "
            "left out. What you write below your turn is said to the others. No password is ever needed in "
            "a mail."
        ),
    ]
    forms = [form for text in HELP.values() for form in text.forms]
    games = lazy_message("Games: {games}. 'help GAME' prints the rules.", games=", ".join(catalog.names()))
    commands = "\n".join(line for form in forms for line in wrapped(form, "  "))
    more = lazy_message("'help COMMAND' explains a command.")
    return joined(
        [
            *(sentence_block(sentence, say=say) for sentence in about),
            Block(commands, preformatted(commands)),
            sentence_block(more, games, say=say),
        ]
    )


def _command(name: str, say: Say) -> Block:
    text = HELP[name]
    others = ", ".join(COMMANDS[name])
    said = say(text.what)
    forms = [line for form in text.forms for line in wrapped(form, "  ")]
    lines = [*forms, "", *wrapped(said)]
    html = f"<p><strong>{escape(name)}</strong></p>" + preformatted("\n".join(forms)) + html_paragraph(said)
    block = Block("\n".join(lines), html)
    return (
        joined([block, sentence_block(lazy_message("Also: {names}.", names=others), say=say)])
        if others
        else block
    )


def _game(name: str, language: str, say: Say) -> Block:
    game = catalog.game(name)
    examples = " ".join(game.description.sample_game.split()[:2])
    how = lazy_message(
        "By mail a turn is written as its actions with spaces between them, such as {examples}.",
        examples=repr(examples or game.action_texts[0]),
    )
    return joined([rules_block(name, language), sentence_block(how, say=say)])
