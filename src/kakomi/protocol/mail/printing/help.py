"""Answers to `help`: the forms of each command, and what it does."""

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
    """How to write it. Words in capitals are placeholders; parts in brackets are optional."""
    what: LazyMessage


HELP: dict[str, HelpText] = {
    "help": HelpText(
        ("help", "help COMMAND", "help GAME"),
        lazy_message("Lists the commands, explains one, or prints the rules of a game."),
    ),
    "signup": HelpText(
        ("signup NAME",),
        lazy_message(
            "Creates an account for play by email. You get an email to confirm; no password is "
            "needed. To play the same games on the website, choose a password there."
        ),
    ),
    "challenge": HelpText(
        ("challenge GAME NAME ... [-PARAMETER=VALUE ...]",),
        lazy_message(
            "Challenges players; you and they make up the number of players. Parameters: those "
            "of the game (see types); -days=3 per turn, -total=60 for the whole game, or "
            "-bank=10+1/20; -nagtime=1 for a reminder after that many days; -games=2, -rated, "
            "-unrated or -handicap, -swap, -negotiate=no, -leavers=4. In games with komi "
            "negotiation, the komi is negotiated unless you set one. Text below the command is "
            "sent to the players you challenge."
        ),
    ),
    "move": HelpText(
        ("move BOARD TURN", "move BOARD TURN #12"),
        lazy_message(
            "Plays a whole move: its actions separated by spaces. The number after # is the "
            "number of moves you’ve seen; if there are more by now, nothing is played. In a "
            "reply to an email about a board, the move alone is enough. You don’t need to write "
            "the end of a turn."
        ),
    ),
    "pass": HelpText(("pass [BOARD] [ACTIONS]",), lazy_message("Passes, where the game has a pass.")),
    "komi": HelpText(
        ("komi [BOARD] NUMBER",),
        lazy_message("Names the komi if it’s negotiated. Then your opponent chooses a colour."),
    ),
    "colour": HelpText(
        ("colour [BOARD] black", "colour [BOARD] white"),
        lazy_message("Chooses your colour after the komi has been named."),
    ),
    "swap": HelpText(
        ("swap [BOARD]",),
        lazy_message("Takes over the first player’s stones instead of moving, if swap is on."),
    ),
    "resign": HelpText(
        ("resign [BOARD]",),
        lazy_message(
            "Resigns the game, whether or not it’s your turn. Before everyone has moved, aborts it."
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
            "Offers a draw or asks to take back your last move or to pause or resume the clocks. "
            "Everyone has to accept; making a move instead rejects it."
        ),
    ),
    "undo": HelpText(
        ("undo [BOARD]",), lazy_message("Asks to take back your last move, like propose takeback.")
    ),
    "withdraw": HelpText(("withdraw [BOARD]",), lazy_message("Withdraws your offer or challenge.")),
    "accept": HelpText(
        ("accept [BOARD]",),
        lazy_message(
            "Accepts an offer, or the challenge with that code. Text below the command is sent to the others."
        ),
    ),
    "reject": HelpText(
        ("reject [BOARD]",), lazy_message("Declines an offer, or the challenge with that code.")
    ),
    "queue": HelpText(
        ("queue [BOARD] TURN", "queue [BOARD] off"),
        lazy_message(
            "Queues a move. It’s played when it’s your turn if it’s legal then; otherwise you get an email."
        ),
    ),
    "unqueue": HelpText(("unqueue [BOARD]",), lazy_message("Removes the queued move.")),
    "preview": HelpText(
        ("preview [BOARD][#12] TURNS", "preview new GAME [PLAYERS] [-PARAMETER=VALUE ...] TURNS"),
        lazy_message(
            "Shows the board after any players’ moves without playing them: from now, from after "
            "move 12, or from the start of a game. Anyone can do this."
        ),
    ),
    "submit": HelpText(
        ("submit [BOARD] TURN",), lazy_message("Shows and stores your move; confirm plays it.")
    ),
    "confirm": HelpText(("confirm [BOARD]",), lazy_message("Plays the move you submitted.")),
    "show": HelpText(
        ("show", "show BOARD[#12] ...", "show NAME ... [all|active|finished|next]"),
        lazy_message(
            "Shows boards: your own, the ones you name, after a given move, or those of other players."
        ),
    ),
    "games": HelpText(
        ("games [NAME] [GAME] [all|active|finished|next]",),
        lazy_message("Lists a player’s boards, one per line."),
    ),
    "list": HelpText(("list [GAME]",), lazy_message("Lists games in progress and open challenges.")),
    "types": HelpText(("types",), lazy_message("Lists the games and their parameters.")),
    "standings": HelpText(
        ("standings [GAME] [NAME ...]",),
        lazy_message("Shows ratings with their uncertainty and the number of games."),
    ),
    "history": HelpText(
        ("history BOARD", "history [NAME]"),
        lazy_message("Shows all moves on a board, or a player’s finished games."),
    ),
    "chat": HelpText(
        ("chat [BOARD] TEXT",),
        lazy_message(
            "Sends a chat message to the players at the board. If the line has no text, "
            "everything below it is the message. Text below your move is sent there too."
        ),
    ),
    "message": HelpText(
        ("message NAME ...: TEXT",),
        lazy_message(
            "Sends a private message. Recipients read it on the website and get a notification. "
            "If the line has no text, everything below it is the message."
        ),
    ),
    "subscribe": HelpText(
        ("subscribe BOARD",), lazy_message("Emails you every move on a board you’re watching.")
    ),
    "unsubscribe": HelpText(
        ("unsubscribe [BOARD]",),
        lazy_message("Stops those emails; without a board, stops all of them."),
    ),
    "notify": HelpText(
        ("notify", "notify TOPIC on", "notify TOPIC off"),
        lazy_message(
            "Shows or changes which emails you get: “turns”, “reminders”, “results”, "
            "“challenges”, “seeks”, “chat”, “digest”. Emails about open challenges come once a "
            "day, for correspondence games you play; emails about chat once a day per board."
        ),
    ),
    "limit": HelpText(
        ("limit", "limit NUMBER", "limit accept", "limit reject"),
        lazy_message(
            "Shows or sets how many games you want to play at once; at that limit, no one can "
            "challenge you. accept means no limit, reject means no challenges."
        ),
    ),
    "seek": HelpText(
        ("seek GAME [NUMBER] [-PARAMETER=VALUE ...]", "seek off [GAME]"),
        lazy_message(
            "Creates an open challenge for one or more games, with the same parameters as challenge."
        ),
    ),
}
"""Help on each command, by its name."""


def help_block(topics: Sequence[str] = (), language: str = "en", say: Say = str) -> Block:
    """Return help on the topics of a `Help`: commands in full and games with their rules, or an overview of
    all commands."""
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
            "Write commands in the subject or text of an email, one per line. You can shorten a "
            "command as long as it’s unambiguous."
        ),
        lazy_message(
            "Reply to an email about a board with just your move, like the example in it. Name a "
            "board by its number or its ten-character code, or leave it out in a reply. Text "
            "below your move is sent to the others. Never put a password in an email."
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
        "By email, write a move as its actions separated by spaces, such as {examples}.",
        examples=repr(examples or game.action_texts[0]),
    )
    return joined([rules_block(name, language), sentence_block(how, say=say)])
