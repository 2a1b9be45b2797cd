"""Answers to `help`."""

from collections.abc import Sequence
from html import escape

from kakomi import catalog
from kakomi.core.i18n import lazy_message
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
from kakomi.protocol.mail.printing.help_texts import HELP
from kakomi.protocol.mail.printing.rules import rules_block


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
