"""Text by people (names, comments), made safe to print in a terminal: no control characters."""

import re
from typing import Annotated

from msgspec import Meta

from kakomi.core.i18n import gettext_noop as _

_CONTROL = r"\x00-\x09\x0b-\x1f\x7f-\x9f"
_HALVES = r"\ud800-\udfff"

LINE = rf"^[^\n{_CONTROL}{_HALVES}]*(?![\s\S])"
TEXT = rf"^[^{_CONTROL}{_HALVES}]*(?![\s\S])"
WORD = rf"^[^\s{_CONTROL}{_HALVES}]+(?![\s\S])"
IN_WORDS = {
    LINE: _("one line without control characters"),
    TEXT: _("text without control characters other than line feeds"),
    WORD: _("a word, without spaces"),
}
"""The patterns of the format."""

Line = Annotated[str, Meta(max_length=1000, pattern=LINE)]
Text = Annotated[str, Meta(pattern=TEXT)]
Word = Annotated[str, Meta(max_length=100, pattern=WORD)]

_LINE_END = re.compile(r"\r\n|\n\r|\r")


def tidy(text: str) -> str:
    """Any string as a `Text`: line ends become line feeds, other control characters spaces."""
    text = re.sub(f"[{_CONTROL}]", " ", _LINE_END.sub("\n", text))
    return re.sub(f"[{_HALVES}]", "\N{REPLACEMENT CHARACTER}", text)


def tidy_line(text: str) -> str:
    """Any string as a `Line`, except that it isn't shortened."""
    return tidy(text).replace("\n", " ")
