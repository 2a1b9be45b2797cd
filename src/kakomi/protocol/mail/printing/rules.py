"""A game's rules as plain text and HTML, converted from Markdown."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kakomi import catalog
from kakomi.protocol.mail.printing.blocks import COLUMNS, Block, wrapped
from kakomi.protocol.mail.printing.lists import padded

_COMMENT = re.compile(r"^<!--.*?-->\n*", re.MULTILINE)
_UNDERLINES = {"h1": "=", "h2": "-"}


@lru_cache(maxsize=32)
def rules_block(game: str, language: str = "en") -> Block:
    """Return the rules of a game in a language if they are translated, else in English."""
    source = _COMMENT.sub("", catalog.describe(game).rules_in(language)[0])
    markdown = MarkdownIt("commonmark").enable("table")
    return Block(
        "\n".join(_Printer(markdown.parse(source)).lines()).strip("\n"), markdown.render(source).strip()
    )


class _Printer:
    """Converts Markdown tokens to lines of plain text: headings are underlined, lists keep their bullets, and
    tables are aligned."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.out: list[str] = []
        self.bullets: list[str] = []
        """For every open list, the bullet or number of its next item."""
        self.rows: list[list[str]] = []

    def lines(self) -> list[str]:
        """Return all lines, with an empty line between parts."""
        for place, token in enumerate(self.tokens):
            self._take(token, place)
        return self.out

    def _take(self, token: Token, place: int) -> None:
        match token.type:
            case "inline":
                self._text(_plain(token), self.tokens[place - 1])
            case "bullet_list_open" | "ordered_list_open":
                self.bullets.append("- " if token.type.startswith("bullet") else "1. ")
            case "bullet_list_close" | "ordered_list_close":
                self.bullets.pop()
                if not self.bullets:
                    self.out.append("")
            case "tr_open":
                self.rows.append([])
            case "table_close":
                self.out += [*_table(self.rows), ""]
                self.rows = []
            case "fence" | "code_block":
                self.out += [*(f"    {line}" for line in token.content.rstrip("\n").split("\n")), ""]

    def _text(self, text: str, opener: Token) -> None:
        if opener.type in ("th_open", "td_open"):
            self.rows[-1].append(text)
        elif opener.type == "heading_open":
            self.out.append(text)
            if opener.tag in _UNDERLINES:
                self.out.append(_UNDERLINES[opener.tag] * len(text))
            self.out.append("")
        elif self.bullets:
            self.out += self._item(text)
        else:
            self.out += [*wrapped(text), ""]

    def _item(self, text: str) -> list[str]:
        bullet = self.bullets[-1]
        indent = "  " * (len(self.bullets) - 1)
        lines = wrapped(text, width=COLUMNS - len(indent) - len(bullet))
        if bullet[0].isdigit():
            self.bullets[-1] = f"{int(bullet.partition('.')[0]) + 1}. "
        return [
            f"{indent}{bullet if number == 0 else ' ' * len(bullet)}{line}"
            for number, line in enumerate(lines)
        ]


def _plain(token: Token) -> str:
    """Return the text of a paragraph, with `*` around bold text and a link's URL after its words."""
    parts = []
    address = ""
    for child in token.children or []:
        match child.type:
            case "text" | "code_inline":
                parts.append(child.content)
            case "softbreak" | "hardbreak":
                parts.append(" ")
            case "strong_open" | "strong_close":
                parts.append("*")
            case "link_open":
                address = str(child.attrGet("href") or "")
            case "link_close":
                parts.append(f" ({address})" if "://" in address else "")
    return "".join(parts)


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) > COLUMNS:
        return [line for row in rows for line in wrapped(": ".join(filter(None, row)), "  ")]
    return [
        "  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
