"""Site, games and terminal use the words of players (docs/glossary.md), not those that they replaced."""

import ast
import re
from collections.abc import Iterator

import click
import pytest

from kakomi.cli.main import kakomi
from messages import OWN_GAMES, SOURCES, TEMPLATES, messages, messages_in_template, read

REPLACED = (
    r"all right|anew|at the latest|begun|beside you|by lot|call(ed)? (it|the game) off|decisions of staff|"
    r"directors?|errs?|everybody|gone on|how equals|in one go|in succession|kept|let nobody in|lots decide|"
    r"mails?|meanwhile|more each turn|more of yours|nobody waits|not complete|notices?|"
    r"over days|(?<!the )rests?|rungs?|seeks?|shared|say what you would like|sit down|somebody|staff|"
    r"take (it|them) home|take part|takes? an account|what you are told|which challenges you take|"
    r"who waits|whoever|whom|"
    r"all levels were asked|broken (json|sgf)|goes? on (from|with)|"
    r"(are|is) told|eras(e|ed|es|ure|ures)|is to move|of no use|plays first|"
    r"no part of|nobody has to|project's reading|put (a|one|two) stones?|taken off|won by seat"
)
REPLACED_GERMAN = (
    r"am stück|erdacht|gegenseite|gegenüber|leuten?|sites?|(?<!e-)mails?|gesuche?n?|je zug|lesart|"
    r"jemanden zum spielen|mitteilung(en)?|"
    r"notfallcodes?|unentschieden|"
    r"(partien?|spielen?) über tage|(spiel|partie) absagen|erzählt (die|seine) regeln|mehr steine gewinnen"
)
UNREAD = re.compile(r"<[^>]*>|%\(\w+\)s|\{[^}]*\}|“[^”]*”|„[^“]*“")
"""Tags, placeholders, and quotations such as the commands of mails."""
ALLOWED = frozenset[str]()
"""Texts that need such a word."""
COMMANDS = re.compile(r"`[^`]*`|\bkakomi [^\n]*|\bstaff\b|--\w+")
"""Commands in texts of the terminal, one of which is `staff`."""


def strings(message: str | tuple[str, ...]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else message


def offending(texts: list[str], words: str) -> list[str]:
    pattern = re.compile(rf"\b({words})\b", re.IGNORECASE)
    return [text for text in texts if pattern.search(UNREAD.sub("", text)) and text not in ALLOWED]


def test_templates_use_the_words_of_players() -> None:
    paths = [path for kind in ("html", "txt") for path in TEMPLATES.rglob(f"*.{kind}")]
    found = [
        m.text for path in paths for m in messages_in_template(path.read_text(encoding="utf-8"), path.name)
    ]
    assert not offending([text for message in found for text in strings(message)], REPLACED)


def test_messages_use_the_words_of_players() -> None:
    """Those in code, and the texts of the games."""
    assert not offending([text for message in messages() for text in strings(message.text)], REPLACED)


def test_the_german_catalogue_uses_the_words_of_players() -> None:
    texts = [text for message in read("de") if message.id for text in strings(message.string)]
    assert not offending(texts, REPLACED_GERMAN)


@pytest.mark.parametrize(("file", "words"), [("rules.md", REPLACED), ("rules.de.md", REPLACED_GERMAN)])
def test_the_rules_use_the_words_of_players(file: str, words: str) -> None:
    texts = [(SOURCES / "games" / game / file).read_text(encoding="utf-8") for game in OWN_GAMES]
    assert not offending([part for text in texts for part in text.split("\n\n")], words)


def test_the_help_of_commands_uses_the_words_of_players() -> None:
    texts = list(help_texts(kakomi))
    assert len(texts) > 300
    assert not offending([COMMANDS.sub("", text) for text in texts], REPLACED)


def help_texts(command: click.Command) -> Iterator[str]:
    context = click.Context(command)
    yield from filter(None, (command.help, command.epilog))
    yield from (param.help or "" for param in command.get_params(context) if isinstance(param, click.Option))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                yield from help_texts(found)


def test_the_terminal_uses_the_words_of_players() -> None:
    """Names and docstrings have their own words: texts are strings with a space in code."""
    texts = []
    for path in sorted((SOURCES / "cli").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
                texts.append(COMMANDS.sub("", node.value))
    assert not offending([text for text in texts if " " in text], REPLACED)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who waits", REPLACED),
        ("Nobody is sought over days.", REPLACED),
        ("Erase me", REPLACED),
        ("Drei Tage je Zug", REPLACED_GERMAN),
        ("Nenne deinem Gegenüber das Komi.", REPLACED_GERMAN),
        ("Wir schicken dir eine Mail.", REPLACED_GERMAN),
    ],
)
def test_replaced_words_are_found(text: str, words: str) -> None:
    assert offending([text], words) == [text]
