"""The text that the sender wrote: an email's text, or that of its HTML, without quotations, signatures and
advertisements.
"""

import re
from dataclasses import dataclass
from html import unescape

LONGEST = 200_000
"""The most characters of a document that are read."""
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p",
    "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))  # fmt: skip
_SPACED = frozenset((
    "p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table",
))  # fmt: skip
"""Blocks with an empty line around them."""
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
"""Ids and classes with which programs mark the beginning of the answered email."""
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:]{0,30})(?P<attributes>[^<>]{0,4000})>")
_ATTRIBUTE = re.compile(r"""\b(id|class|style)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)""", re.IGNORECASE)
_DEEPEST = 100
_SPACE = re.compile(r"[ \t\r\n\f]+")


def text_of_html(document: str) -> str:
    """Return the visible text of a document, with `> ` before each quoted line.

    Never raises, and reads no more than `LONGEST` characters.
    """
    reader = _Reader()
    reader.feed(_without_declarations(document[:LONGEST]))
    return reader.text()


def _without_declarations(document: str) -> str:
    """Return the document without comments and declarations; an unterminated one extends to the end."""
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
    """An open element."""

    tag: str
    hides: bool
    quotes: bool


class _Reader:
    """Collects lines, each with whether it is quoted.

    We don't use `html.parser` because it takes quadratic time for unterminated tags.
    """

    def __init__(self) -> None:
        self.lines: list[tuple[bool, str]] = []
        self.current: list[str] = []
        self.open: list[_Element] = []
        self.is_cut = False
        """Whether the answered email has begun."""

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
        """Return all lines, with quoted ones marked."""
        self._end_line()
        while self.lines and not self.lines[-1][1]:
            self.lines.pop()
        return "\n".join(f"{'> ' if quoted else ''}{line}".rstrip() for quoted, line in self.lines).strip(
            "\n"
        )


MOST_LINES = 2_000
MARK = "=-=-="
"""Marks the line of our emails above which answers are read, for programs that quote without marks."""

_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]")
_QUOTED = re.compile(r"\s{0,3}(?:[A-Za-z]{0,8}>|[|│┃]\s)")
_SIGNATURE = re.compile(r"--\s?")
_BETWEEN_RULES = re.compile(r"\s*[-_*=‐‑–—]{4,}\s*[^\s\-_*=‐‑–—].{1,70}?\s*[-_*=‐‑–—]{4,}\s*")
"""`-----Original Message-----`, in any language."""
_BEGIN_FORWARDED = re.compile(
    r"\s*(?:Begin forwarded message|Anfang der weitergeleiteten Nachricht)\s?:\s*", re.IGNORECASE
)
_HEADER = re.compile(r"\s{0,3}\**(?P<name>[^\W\d_][^\d_:：<>@]{0,24})\**\s?[:：]\**\s*\S")
_FROM = frozenset((
    "from", "von", "de", "da", "van", "från", "fra", "od", "от", "lähettäjä", "kimden", "expéditeur",
    "mittente", "remitente", "发件人", "寄件者", "差出人", "보낸사람",
))  # fmt: skip
_ADDRESS = re.compile(r"[\w.+%=-]{1,64}@[\w-]{1,60}\.[\w.-]{1,60}")
_CLOCK = re.compile(r"\d{1,2}\s?[:.h]\s?\d{2}")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")
_OPENS = re.compile(r"\W*(?:on|am|in a message|le|el|il|op|den|dnia|w dniu|em|a|dne)\b", re.IGNORECASE)
_WROTE = re.compile(
    r"\b(?:wrote|writes|said|says|quoting|schrieb|schreibt|geschrieben|sagte|sagt|zitat von|écrit|"
    r"escribió|escribe|scritto|schreef|geschreven|skrev|skrifaði|escreveu|"
    r"napisał|napsal|napísal|написал|пише|пишет|kirjoitti|yazdı|írta|a "
    r"scris|έγραψε)|写道|寫道|のメール|さんは|작성|כתב|كتب",
    re.IGNORECASE,
)
_QUOTE_TAG = re.compile(r"</?quote\b[^>]*>")
"""SquirrelMail's tags around a quotation."""
_ARMOUR = re.compile(r"-----(BEGIN|END) (PGP [A-Z ]{3,40})-----")
_ARMOUR_HEADER = re.compile(r"[A-Za-z]+: .*")
_SENT_FROM = re.compile(
    r"\s*(?:Sent (?:from|via|with)\b|Get (?:Outlook|BlueMail) for|Von meinem .{0,40} gesendet|"
    r"Gesendet (?:von|mit|aus|über)\b|Diese Nachricht wurde von meinem|Holen Sie sich Outlook|Hol dir "
    r"Outlook|"
    r"Envoyé (?:de|depuis|à partir)\b|Télécharge[rz] Outlook|Enviado (?:desde|do|de|a partir)\b|Obtener "
    r"Outlook|"
    r"Inviato (?:da|dal|con)\b|Scarica Outlook|Verzonden (?:vanaf|met|via|vanuit)\b|Verstuurd "
    r"(?:vanaf|met|vanuit)\b|"
    r"Skickat från|Sendt fra|Lähetetty|Wysłane? z\b|Odesláno z|Отправлено (?:с|из)\b|iPhoneから送信|发自我的|"
    r"Yahoo Mail[: ]|\[?Diese Mail wurde)",
    re.IGNORECASE,
)


def new_text(text: str) -> str:
    """Return the new text of an email; the parts between quotations stay in order.

    This handles answers above, below and between quoted lines, introductions of quotations in many languages,
    and Outlook, which doesn't mark quoted lines.
    """
    lines = [_INVISIBLE.sub("", line.replace("\xa0", " ")).rstrip() for line in text.split("\n")[:MOST_LINES]]
    lines = _without_armour(lines)
    lines = _without_quotations(lines[: _end_of_new(lines)])
    for number, line in enumerate(lines):
        if _SIGNATURE.fullmatch(line):
            lines = lines[:number]
            break
    return _squeezed(_without_advertisements(lines))


def _without_armour(lines: list[str]) -> list[str]:
    """Return the lines without PGP's armour around inline-signed text, and without keys and ciphertext."""
    kept: list[str] = []
    within, is_head = "", False
    for line in lines:
        if found := _ARMOUR.fullmatch(line):
            within = found[2] if found[1] == "BEGIN" else ""
            is_head = within == "PGP SIGNED MESSAGE"
        elif within in ("", "PGP SIGNED MESSAGE") and not (is_head and _ARMOUR_HEADER.fullmatch(line)):
            is_head = False
            kept.append(line.removeprefix("- ") if within else line)
    return kept


def _end_of_new(lines: list[str]) -> int:
    """Return the index of the line from which a whole email is quoted without marks."""
    for number, line in enumerate(lines):
        if not line or _is_quoted(line):
            continue
        if MARK in line:
            return number
        if (_BETWEEN_RULES.fullmatch(line) or _BEGIN_FORWARDED.fullmatch(line)) and not _quotes_next(
            lines, number + 1
        ):
            return number
        if _begins_header_block(lines, number):
            return number - 1 if number and set(lines[number - 1]) == {"_"} else number
        length = _length_of_introduction(lines, number)
        if length and not _quotes_next(lines, number + length):
            said = " ".join(lines[number : number + length])
            is_dated = bool(_CLOCK.search(said) and _DATE.search(said) and _WROTE.search(said))
            is_addressed = bool(_ADDRESS.search(said)) and any(map(str.isdigit, said))
            if is_dated or is_addressed or MARK in _next(lines, number + length):
                return number
    return len(lines)


def _is_quoted(line: str) -> bool:
    return bool(_QUOTED.match(line))


def _next(lines: list[str], number: int) -> str:
    """Return the next non-empty line."""
    return next((line for line in lines[number : number + 5] if line), "")


def _quotes_next(lines: list[str], number: int) -> bool:
    """Return whether the next non-empty line is quoted."""
    return _is_quoted(_next(lines, number))


def _begins_header_block(lines: list[str], number: int) -> bool:
    """Return whether a line is the first of a block such as `From: … Sent: … To: … Subject: …`."""
    first = _HEADER.match(lines[number])
    if not first or (number and _HEADER.match(lines[number - 1])):
        return False
    block = [line for line in lines[number : number + 8] if line][:6]
    count = next((place for place, line in enumerate(block) if not _HEADER.match(line)), len(block))
    if count < 3:
        return False
    is_from = first["name"].strip(" *").lower() in _FROM
    return is_from or any(_ADDRESS.search(line) for line in block[:2])


def _length_of_introduction(lines: list[str], number: int) -> int:
    """Return how many lines, up to three, introduce the quotation below them; 0 if none does.

    If there are several, the first must contain a time, a date or an address, or a typical beginning.
    """
    for length in (1, 2, 3):
        part = lines[number : number + length]
        if len(part) < length or not part[-1] or _is_quoted(part[-1]):
            return 0
        if part[-1].endswith((":", "：", ":*")):
            said = " ".join(part)
            is_ours = MARK in _next(lines, number + length)
            is_one = len(said) < 400 and bool(is_ours or _WROTE.search(said) or _ADDRESS.search(said))
            return length if is_one and (length == 1 or _may_begin(part[0])) else 0
    return 0


def _may_begin(line: str) -> bool:
    return any(known.search(line) for known in (_CLOCK, _DATE, _ADDRESS)) or bool(_OPENS.match(line))


def _without_quotations(lines: list[str]) -> list[str]:
    """Return the lines that are neither quoted nor introduce a quotation."""
    kept: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        length = 0 if not line or _is_quoted(line) else _length_before_quotation(lines, number)
        if length:
            number += length
            continue
        if not _is_quoted(line) and not _QUOTE_TAG.fullmatch(line):
            kept.append(line)
        number += 1
    return kept


def _length_before_quotation(lines: list[str], number: int) -> int:
    length = _length_of_introduction(lines, number) or int(bool(_BETWEEN_RULES.fullmatch(lines[number])))
    return length if length and _quotes_next(lines, number + length) else 0


def _without_advertisements(lines: list[str]) -> list[str]:
    """Return the lines without `Sent from my …` and the rest of its paragraph."""
    kept: list[str] = []
    is_skipping = False
    for line in lines:
        is_skipping = bool(line) and (is_skipping or bool(_SENT_FROM.match(line)))
        if not is_skipping:
            kept.append(line)
    return kept


def _squeezed(lines: list[str]) -> str:
    """Join the lines, with at most one empty line between paragraphs and none at either end."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line if line.strip() else "")
    return "\n".join(kept).rstrip("\n")
