"""The translatable texts of the site, and the catalogue of their translations.

`python -m tests.messages`, or `make messages`, updates the catalogue: it adds new texts for a translator to
fill in, removes those that are gone, and compiles it.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import django
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.template import engines
from django.template.base import Lexer, TokenType
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

import kakomi
from kakomi import catalog
from kakomi.draw.alt_text import WORDS
from kakomi.web.pages import TEXT

SOURCES = Path(kakomi.__file__).parent
TEMPLATES = SOURCES / "server" / "templates"
LOCALES = SOURCES / "server" / "locale"
OWN_GAMES = ("lin", "ren", "rin", "rings", "rive")
LANGUAGES = ("de",)
HEADERS = {
    "project": "Kakomi",
    "version": "",
    "msgid_bugs_address": "",
    "last_translator": "The Kakomi authors",
    "language_team": "",
}
PLAIN = ("_", "gettext", "gettext_lazy", "gettext_noop", "lazy_message")
COUNTING = ("lazy_plural", "ngettext", "ngettext_lazy")
IN_CONTEXT = ("pgettext",)
"""Functions whose arguments are a text; a text and its plural; a context and a text."""
_CONSTANT = re.compile(r"""_\(("(?P<double>[^"]*)"|'(?P<single>[^']*)')\)""")
"""A text in any tag or filter of a template."""


class Message(NamedTuple):
    """A text, and where it was first found."""

    text: str | tuple[str, str]
    """A pair if it has a plural."""
    context: str | None
    place: str


@cache
def messages() -> tuple[Message, ...]:
    """All texts of the site, without duplicates."""
    found: dict[tuple[object, str | None], Message] = {}
    for message in (*_in_code(), *_in_drawings(), *_in_games(), *_in_templates(), *_in_pages()):
        first = message.text if isinstance(message.text, str) else message.text[0]
        known = found.get((first, message.context))
        if known is None or isinstance(known.text, str):
            found[first, message.context] = message
    return tuple(found.values())


def _in_code() -> Iterator[Message]:
    for path in sorted(SOURCES.rglob("*.py")):
        yield from messages_in_code(path.read_text(encoding="utf-8"), _place(path))


def messages_in_code(code: str, place: str) -> Iterator[Message]:
    """The texts in a module, including those in f-strings, which Babel doesn't search."""
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        match node.args:
            case [ast.Constant(value=str(text)), *_] if name in PLAIN and text:
                yield Message(text, None, place)
            case [_, ast.Constant(value=str(text)), *_] if name == "lazy_error":
                yield Message(text, None, place)
            case [ast.Constant(value=str(one)), ast.Constant(value=str(many)), *_] if name in COUNTING:
                yield Message((one, many), None, place)
            case [ast.Constant(value=str(context)), ast.Constant(value=str(text))] if name in IN_CONTEXT:
                yield Message(text, context, place)


def _in_drawings() -> Iterator[Message]:
    for word in WORDS:
        yield Message(word, None, "draw/words.py")


def _in_games() -> Iterator[Message]:
    for name in OWN_GAMES:
        for option in catalog.describe(name).options:
            yield Message(option.title, None, f"games/{name}/__init__.py")
        for overlay in catalog.game(name).start().overlays():  # read by screen readers for marks without text
            yield Message(overlay.name, None, f"games/{name}/explain.py")
        description = catalog.describe(name)
        for file, found in (("examples", description.examples), ("exercises", description.exercises)):
            for example in found:
                for text in example.texts():
                    yield Message(text, None, f"games/{name}/{file}.toml")


def _in_templates() -> Iterator[Message]:
    for path in sorted(path for kind in ("html", "txt") for path in TEMPLATES.rglob(f"*.{kind}")):
        yield from messages_in_template(path.read_text(encoding="utf-8"), _place(path))


def messages_in_template(source: str, place: str) -> Iterator[Message]:
    """The texts in a template: in translation tags, and in `_("...")` in other tags and filters."""
    template: Any = engines["django"].from_string(source)
    for token in Lexer(source).tokenize():
        if token.token_type in (TokenType.VAR, TokenType.BLOCK):
            for found in _CONSTANT.finditer(token.contents):
                yield Message((found["double"] or found["single"]).replace("%", "%%"), None, place)
    for node in template.template.nodelist.get_nodes_by_type(TranslateNode):
        text = node.filter_expression.var.literal
        if text is not None:
            doubled = text.replace("%", "%%")  # as the tag looks it up
            yield Message(doubled, _context(node), place)
    for node in template.template.nodelist.get_nodes_by_type(BlockTranslateNode):
        texts = [node.render_token_list(tokens)[0] for tokens in (node.singular, node.plural) if tokens]
        yield Message(texts[0] if len(texts) == 1 else (texts[0], texts[1]), _context(node), place)


def _in_pages() -> Iterator[Message]:
    """The texts in the scripts of exported pages."""
    for path in sorted((SOURCES / "web" / "page").iterdir()):
        for text in TEXT.findall(path.read_text(encoding="utf-8")):
            yield Message(text, None, _place(path))


def _context(node: TranslateNode | BlockTranslateNode) -> str | None:
    context: str | None = node.message_context.resolve({}) if node.message_context else None
    return context


def _place(path: Path) -> str:
    return path.relative_to(SOURCES).as_posix()


def source_of(language: str) -> Path:
    """The path of the catalogue that translators edit."""
    return LOCALES / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """The catalogue as last saved."""
    with source_of(language).open("rb") as file:
        return read_po(file, locale=language)


def update(language: str) -> Catalog:
    """Update the catalogue to contain exactly the texts of the site, and compile it."""
    known = read(language)
    for header, value in HEADERS.items():
        setattr(known, header, value)
    fresh = Catalog(creation_date=known.creation_date)
    for message in messages():
        fresh.add(message.text, locations=[(message.place, 0)], context=message.context)
    known.update(fresh, no_fuzzy_matching=True)
    known.obsolete.clear()
    with source_of(language).open("wb") as file:
        write_po(file, known, width=110, include_lineno=False, sort_by_file=True)
    with source_of(language).with_suffix(".mo").open("wb") as file:
        write_mo(file, known)
    return known


def main() -> int:
    """Update every language, and print what is left to translate; return 1 if anything is."""
    missing = 0
    for language in LANGUAGES:
        known = update(language)
        for message in known:
            if message.id and (message.fuzzy or not all(_strings(message.string))):
                print(f"{language}: not translated: {message.id!r} ({message.locations[0][0]})")
                missing += 1
        print(f"{language}: {len(known)} texts, {missing} to translate")
    return 1 if missing else 0


def _strings(string: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (string or "",)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
    with tempfile.TemporaryDirectory(prefix="kakomi-messages-") as folder:
        os.environ["KAKOMI_DATA_DIR"] = folder  # settings need a data folder
        django.setup()
        sys.exit(main())
