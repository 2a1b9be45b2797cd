"""A game's `rules.md` as safe HTML, split at its examples."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from kakomi import catalog
from kakomi.core.guidance import PLACE

_EXAMPLE = re.compile(r"^<!-- example: ([\w-]+) -->$", re.MULTILINE)
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Heading:
    """An entry of the table of contents."""

    anchor: str
    text: str
    level: int


@dataclass(frozen=True)
class Part:
    """Some text, or a placeholder for an example."""

    html: SafeString = field(default_factory=lambda: mark_safe(""))
    example: str = ""


@dataclass(frozen=True)
class Prose:
    """The rules of a game."""

    title: str
    language: str
    parts: tuple[Part, ...]
    contents: tuple[Heading, ...]
    rules: Mapping[str, Heading]
    """A rule's number -> the heading of its section. The rule itself has an anchor such as `rule-V3`."""

    def before(self, example: str) -> SafeString:
        """The latest text before an example; empty for an exercise, which isn't among the rules."""
        text = mark_safe("")
        for part in self.parts:
            if part.example == example:
                return text
            text = part.html or text
        return mark_safe("")


@cache
def prose_of(game: str, language: str) -> Prose:
    """A game's rules in a language, or in English if there is no translation."""
    text, found = catalog.describe(game).rules_in(language)
    headings: list[Heading] = []
    rules: dict[str, Heading] = {}
    parts = tuple(_parts(text, headings, rules))
    chapters = tuple(heading for heading in headings if heading.level == 2)
    return Prose(headings[0].text, found, parts, chapters, rules)


def _parts(text: str, headings: list[Heading], rules: dict[str, Heading]) -> Iterator[Part]:
    """Yield texts and examples in order, adding to `headings` and `rules`."""
    for number, piece in enumerate(_EXAMPLE.split(text)):
        if number % 2:
            yield Part(example=piece)
        elif piece.strip():
            yield Part(_html(piece, headings, rules))


def _html(text: str, headings: list[Heading], rules: dict[str, Heading]) -> SafeString:
    tokens = _MARKDOWN.parse(text)
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if token.type == "inline" and before and after and (place := PLACE.fullmatch(token.content)):
            numbers = place[1].split()
            rules |= dict.fromkeys(numbers, headings[-1])
            before.hidden = after.hidden = True
            token.children = [Token("html_inline", "", 0, content=_place_of_rules(numbers))]
        elif token.type == "inline" and before and before.type == "heading_open":
            headings.append(_anchored(before, token, headings))
        elif token.type == "inline":
            _mark_reading(before, token)
        elif token.type == "table_open":
            token.attrSet("class", "figures")
    html: str = _MARKDOWN.renderer.render(_without_title(tokens), _MARKDOWN.options, {})
    return mark_safe(html)


def _place_of_rules(numbers: Sequence[str]) -> str:
    """The anchors for links to rules: one empty element for each, nested."""
    opened = "".join(f'<div class="rule-place" id="rule-{number}">' for number in numbers)
    return f"{opened}{'</div>' * len(numbers)}\n"


def _anchored(opening: Token, inline: Token, earlier: Sequence[Heading]) -> Heading:
    """Give a heading a unique anchor, and return its entry."""
    anchor, taken = slugify(inline.content), {heading.anchor for heading in earlier}
    while not anchor or anchor in taken:
        anchor += "-more"
    opening.attrSet("id", anchor)
    return Heading(anchor, inline.content, int(opening.tag[1:]))


def _without_title(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without the title, which the page shows elsewhere."""
    starts = [
        number for number, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h1"
    ]
    hidden = {number + offset for number in starts for offset in range(3)}
    return [token for number, token in enumerate(tokens) if number not in hidden]


def _mark_reading(opening: Token | None, inline: Token) -> None:
    """Mark this project's own decisions: the rest of a paragraph from an emphasised label with a colon."""
    children = inline.children or []
    start = next((number for number in range(len(children)) if _is_label(children[number:])), None)
    if start is None:
        return
    children[start].attrSet("class", "reading-label")
    if start == 0 and opening is not None and opening.type == "paragraph_open":
        opening.attrSet("class", "reading")
        return
    span = Token("span_open", "span", 1, attrs={"class": "reading"})
    inline.children = [*children[:start], span, *children[start:], Token("span_close", "span", -1)]


def _is_label(tokens: Sequence[Token]) -> bool:
    """Whether tokens begin with an emphasised text that ends in a colon, in any language."""
    shapes = [token.type for token in tokens[:3]]
    return shapes == ["em_open", "text", "em_close"] and tokens[1].content.endswith(":")
