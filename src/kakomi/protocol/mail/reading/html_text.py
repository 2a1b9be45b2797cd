"""The text of a mail that has HTML alone."""

import re
from html.parser import HTMLParser

LONGEST = 200_000
"""Characters of a document that are read."""
_BLOCKS = frozenset(
    "address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main "
    "nav ol p pre section table tbody tfoot thead tr ul".split()
)
_SPACED = frozenset("p blockquote h1 h2 h3 h4 h5 h6 ul ol table".split())
"""Blocks that stand apart from what is round them."""
_HIDDEN = frozenset("head style script title template noscript".split())
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_QUOTES = re.compile(r"gmail_quote(?!_container)|yahoo_quoted|moz-cite-prefix|protonmail_quote|gmail_attr", re.IGNORECASE)
_CUTS = re.compile(r"divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|mail-editor-reference-message", re.IGNORECASE)
"""Ids and classes by which programs mark where the mail begins that is answered."""
_SPACE = re.compile(r"[ \t\r\n\f]+")


def text_of_html(document: str) -> str:
    """The text that a reader of the document sees; what it quotes has `> ` before each line.

    Never raises, and reads no more than `LONGEST` characters.
    """
    reader = _Reader()
    reader.feed(document[:LONGEST])
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    """Collects lines, each with how deep in quotations it stands."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str]] = []
        self.current = ""
        self.open: list[tuple[str, bool, bool]] = []
        """The elements that are open: their names, whether they hide their text, whether they quote."""
        self.quoted = self.hidden = 0
        self.pre = 0
        self.is_cut = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        names = f"{given.get('id', '')} {given.get('class', '')}"
        if _CUTS.search(names):
            self._end_line()
            self.is_cut = True
        if tag == "br":
            self._end_line(always=True)
        elif tag in _BLOCKS:
            self._end_block(tag)
        if tag in _VOID or len(self.open) > 200:
            return
        hides = tag in _HIDDEN or "display:none" in given.get("style", "").replace(" ", "")
        quotes = tag == "blockquote" or bool(_QUOTES.search(names))
        self.open.append((tag, hides, quotes))
        self.hidden += hides
        self.quoted += quotes
        self.pre += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end_block(tag)
        if tag == "br":
            self._end_line(always=True)
        if tag not in (name for name, _, _ in self.open):
            return
        while self.open:
            name, hides, quotes = self.open.pop()
            self.hidden -= hides
            self.quoted -= quotes
            self.pre -= name == "pre"
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if self.hidden or self.is_cut:
            return
        if not self.pre:
            self.current += _SPACE.sub(" ", data)
            return
        *whole, rest = data.split("\n")
        for line in whole:
            self.current += line
            self._end_line(always=True)
        self.current += rest

    def _end_line(self, *, always: bool = False) -> None:
        line = self.current.replace("\xa0", " ")
        line = line.rstrip() if self.pre else _SPACE.sub(" ", line).strip()
        if (line or always) and not self.is_cut:
            self.lines.append((self.quoted, line))
        self.current = ""

    def _end_block(self, tag: str) -> None:
        self._end_line()
        if tag in _SPACED and self.lines and self.lines[-1][1] and not self.is_cut:
            self.lines.append((self.quoted, ""))

    def text(self) -> str:
        self._end_line()
        return "\n".join(f"{'> ' if quoted else ''}{line}".rstrip() for quoted, line in self.lines).strip("\n")
