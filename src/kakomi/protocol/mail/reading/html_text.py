"""The text of a mail that has HTML alone."""

import re
from dataclasses import dataclass
from html import unescape

LONGEST = 200_000
"""Characters of a document that are read."""
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p",
    "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))  # fmt: skip
_SPACED = frozenset((
    "p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table",
))  # fmt: skip
"""Blocks that stand apart from what is round them."""
_HIDDEN = frozenset((
    "head", "style", "script", "title", "template", "noscript",
))  # fmt: skip
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
))  # fmt: skip
_QUOTES = re.compile(
    r"gmail_quote(?!_container)|yahoo_quoted|moz-cite-prefix|protonmail_quote|gmail_attr", re.IGNORECASE
)
_CUTS = re.compile(
    r"divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|mail-editor-reference-message", re.IGNORECASE
)
"""Ids and classes by which programs mark where the mail begins that is answered."""
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:]{0,30})(?P<attributes>[^<>]{0,4000})>")
_ATTRIBUTE = re.compile(r"""\b(id|class|style)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)""", re.IGNORECASE)
_DEEPEST = 100
_SPACE = re.compile(r"[ \t\r\n\f]+")


def text_of_html(document: str) -> str:
    """The text that a reader of the document sees; what it quotes has `> ` before each line.

    Never raises, and reads no more than `LONGEST` characters.
    """
    reader = _Reader()
    reader.feed(_without_declarations(document[:LONGEST]))
    return reader.text()


def _without_declarations(document: str) -> str:
    """The document without comments and declarations; one that doesn't end goes to the end of the
    document."""
    kept, place = [], 0
    while (begin := document.find("<!", place)) >= 0:
        kept.append(document[place:begin])
        sign = "-->" if document.startswith("<!--", begin) else ">"
        end = document.find(sign, begin)
        if end < 0:
            return "".join(kept)
        place = end + len(sign)
    return "".join([*kept, document[place:]])


@dataclass(frozen=True)
class _Element:
    """An element that is open."""

    tag: str
    hides: bool
    quotes: bool


class _Reader:
    """Collects lines, each with whether it stands in a quotation.

    The library's parser is not used: it takes time with the square of the length for tags that don't end.
    """

    def __init__(self) -> None:
        self.lines: list[tuple[bool, str]] = []
        self.current: list[str] = []
        self.open: list[_Element] = []
        self.is_cut = False
        """Whether the mail that is answered has begun."""

    def feed(self, document: str) -> None:
        """Read a document without comments and declarations."""
        place = 0
        for tag in _TAG.finditer(document):
            self._data(document[place : tag.start()])
            place = tag.end()
            if tag["end"]:
                self._end_tag(tag["name"].lower())
            else:
                self._start_tag(tag["name"].lower(), tag["attributes"])
            if self.is_cut:
                return
        self._data(document[place:])

    def _start_tag(self, tag: str, attributes: str) -> None:
        given = {name.lower(): value.strip("\"'") for name, value in _ATTRIBUTE.findall(attributes)}
        names = f"{given.get('id', '')} {given.get('class', '')}"
        if tag == "br":
            self._end_line(always=True)
        elif tag in _BLOCKS:
            self._end_block(tag)
        if _CUTS.search(names):
            self.is_cut = True
        elif tag not in _VOID and len(self.open) < _DEEPEST:
            hides = tag in _HIDDEN or "display:none" in given.get("style", "").replace(" ", "").lower()
            self.open.append(_Element(tag, hides, tag == "blockquote" or bool(_QUOTES.search(names))))

    def _end_tag(self, tag: str) -> None:
        if tag == "br":
            self._end_line(always=True)
        elif tag in _BLOCKS:
            self._end_block(tag)
        if any(element.tag == tag for element in self.open):
            while self.open.pop().tag != tag:
                pass

    def _data(self, data: str) -> None:
        if not data or any(element.hides for element in self.open):
            return
        text = unescape(data)
        if not self._is_pre:
            self.current.append(_SPACE.sub(" ", text))
            return
        *whole, rest = text.split("\n")
        for line in whole:
            self.current.append(line)
            self._end_line(always=True)
        self.current.append(rest)

    @property
    def _is_pre(self) -> bool:
        return any(element.tag == "pre" for element in self.open)

    def _end_line(self, *, always: bool = False) -> None:
        line = "".join(self.current).replace("\xa0", " ")
        line = line.rstrip() if self._is_pre else _SPACE.sub(" ", line).strip()
        if line or always:
            self.lines.append((self._is_quoted, line))
        self.current = []

    def _end_block(self, tag: str) -> None:
        self._end_line()
        if tag in _SPACED and self.lines and self.lines[-1][1]:
            self.lines.append((self._is_quoted, ""))

    @property
    def _is_quoted(self) -> bool:
        return any(element.quotes for element in self.open)

    def text(self) -> str:
        """All lines, those of quotations marked."""
        self._end_line()
        while self.lines and not self.lines[-1][1]:
            self.lines.pop()
        return "\n".join(f"{'> ' if quoted else ''}{line}".rstrip() for quoted, line in self.lines).strip(
            "\n"
        )
