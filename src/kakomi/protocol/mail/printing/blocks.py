"""The blocks of an email, and how they are joined."""

import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from kakomi.core.i18n import capitalised, lazy_message
from kakomi.protocol.mail.commands import ParsedLine
from kakomi.protocol.mail.reading.new_text import MARK
from kakomi.records import tidy

COLUMNS = 72
"""The longest line of a text, except for URLs."""

Say = Callable[[str], str]


@dataclass(frozen=True)
class Picture:
    """A drawing that an email's HTML shows; to be attached under its content id, as PNG or SVG."""

    cid: str
    """The content id, without angle brackets."""
    svg: str
    alt: str


@dataclass(frozen=True)
class Block:
    """A part of an email, as text and as equivalent HTML."""

    text: str
    """Lines of at most `COLUMNS` columns, without a line feed at the end."""
    html: str
    """Elements for the body, with inline styles and without external resources."""
    pictures: tuple[Picture, ...] = ()
    """The pictures that the HTML refers to with `cid:`."""


@dataclass(frozen=True)
class PrintedMail:
    """An email to send, without its addresses and headers."""

    subject: str
    """One line of at most `COLUMNS` characters."""
    text: str
    html: str
    """A complete document."""
    pictures: tuple[Picture, ...] = ()


def width_of(text: str) -> int:
    """Return the columns that a line takes: East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def wrapped(text: str, indent: str = "", width: int = COLUMNS) -> list[str]:
    """Wrap a paragraph into lines; a word that is too long is cut, unless it is a URL."""
    if not text.strip():
        return []
    lines: list[str] = []
    for line in textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ):
        lines += [line] if "://" in line else _cut(line, indent, width)
    return lines


def _cut(line: str, indent: str, width: int) -> list[str]:
    """Cut a line into pieces that fit the width in columns."""
    if width_of(line) <= width:
        return [line]
    pieces, piece = [], ""
    for sign in line:
        if piece.strip() and width_of(piece + sign) > width:
            pieces.append(piece.rstrip())
            piece = indent + sign.lstrip()
        else:
            piece += sign
    return [*pieces, piece]


def paragraphs(text: str, indent: str = "") -> list[str]:
    """Wrap each line of a person's text."""
    lines: list[str] = []
    for line in tidy(text).split("\n"):
        lines += wrapped(line, indent) or [""]
    return lines


def block_of_lines(lines: Iterable[str], html: str = "") -> Block:
    """Return a block of lines; by default its HTML shows them preformatted."""
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return Block(text, html or preformatted(text))


def preformatted(text: str) -> str:
    """Return lines as HTML in a monospaced font."""
    return (
        '<pre style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px;'
        'line-height:1.25;margin:0 0 1em">'
        f"{escape(text)}</pre>"
    )


def html_paragraph(text: str, *, strong: bool = False, small: bool = False) -> str:
    """Return text as an HTML paragraph, keeping its line breaks."""
    inside = escape(text).replace("\n", "<br>\n")
    style = "margin:0 0 1em" + (";font-size:13px;color:#555" if small else "")
    return f'<p style="{style}">{f"<strong>{inside}</strong>" if strong else inside}</p>'


def joined(blocks: Sequence[Block]) -> Block:
    """Join blocks into one, with empty lines between them."""
    return Block(
        "\n\n".join(block.text for block in blocks if block.text),
        "\n".join(block.html for block in blocks if block.html),
        tuple(picture for block in blocks for picture in block.pictures),
    )


def sentence_block(*sentences: str, say: Say = str) -> Block:
    """Return sentences as a paragraph."""
    said = tidy(" ".join(say(sentence) for sentence in sentences if sentence))
    return Block("\n".join(wrapped(said)), html_paragraph(said) if said else "")


def remark_block(name: str, text: str, say: Say = str) -> Block:
    """Return a person's remark."""
    head = say(lazy_message("{name} writes:", name=name))
    lines = paragraphs(text.strip(), "  ")
    return Block("\n".join([*wrapped(head), *lines]), html_paragraph(head) + _quoted_html(tidy(text.strip())))


def problem_block(line: ParsedLine | str, reason: str, say: Say = str) -> Block:
    """Quote a line of an email that could not be executed, and say why."""
    quoted = tidy(line.line if isinstance(line, ParsedLine) else line).replace("\n", " ")
    said = capitalised(say(reason))
    said = said if said.endswith((".", "?", "!", ":")) else f"{said}."
    lines = [*wrapped(quoted, "> "), *wrapped(said)]
    return Block("\n".join(lines), _quoted_html(quoted) + html_paragraph(said))


def _quoted_html(text: str) -> str:
    inside = escape(text).replace("\n", "<br>\n")
    style = "margin:0 0 1em;padding-left:.7em;border-left:3px solid #ccc;color:#444"
    return f'<blockquote style="{style}">{inside}</blockquote>'


def print_mail(
    subject: str,
    blocks: Sequence[Block],
    *,
    footer: str = "",
    language: str = "en",
    above: str = "",
) -> PrintedMail:
    """Join blocks into an email.

    The footer is small print, such as how to unsubscribe. `above`, such as `reply_line` returns, is for
    emails to which a reply is a command: replies are read only above the line that contains it.
    """
    body = joined(blocks)
    mark = f"{MARK} {above} {MARK}" if above else ""
    small = "\n".join(part for line in footer.split("\n") for part in wrapped(line)) if footer else ""
    text = "\n\n".join(part for part in (mark, body.text, f"-- \n{small}" if small else "") if part)
    html = "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(language, quote=True)}"><head><meta charset="utf-8">',
            f"<title>{escape(subject)}</title></head>",
            '<body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.4;max-width:44em">',
            *([html_paragraph(mark, small=True)] if mark else []),
            body.html,
            *([html_paragraph(footer, small=True)] if footer else []),
            "</body></html>",
        ]
    )
    return PrintedMail(shortened(subject), f"{text}\n", f"{html}\n", body.pictures)


def shortened(line: str) -> str:
    """Return a subject cut to one line."""
    line = " ".join(tidy(line).split())
    return line if len(line) <= COLUMNS else f"{line[: COLUMNS - 1]}…"


def reply_line(say: Say = str) -> str:
    """Return the text of the line above which replies are read."""
    return say(lazy_message("write your answer above this line"))
