"""Everything that pages say goes through translation, and is German where German is wished."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

import pytest
from django.utils import translation
from django.utils.translation import trans_real

import kakomi
from kakomi.core import Description
from kakomi.server.boards.fragments import cached_fragment
from kakomi.server.boards.template_tags import render_cached
from kakomi.server.rules.prose import prose_of
from kakomi.server.site import language
from kakomi.server.tables.history import MOVE_LISTS
from messages import LANGUAGES, messages
from sampling import sample
from server.language_walk import Walk

pytestmark = pytest.mark.django_db


def games() -> list[str]:
    """Whose pages are walked through; `tests/long` walks through all."""
    return sample(kakomi.names(), 1, "language")


NAMES = re.compile(
    r"\b(?:Kakomi|Rin|Rive|Lin|Rings|Ren|Ann|Bob|English|Deutsch|SGF|JSON|SVG|PNG|GIF|pass|end"
    r"|Zhen Wang|Mark Steere|Luis Bolaños Mures|Aristides Mytaras|Stephen Linhart|x?[A-Za-z]{1,2}\d+)\b"
    r"|https?://\S*|kakomi (?:report|study [a-z]+) .*"
)
"""What is the same in every language."""
WHOLE = re.compile(r"⟦|^(\{part\d+\}\W*)+$|^Whether the user will be able to authenticate")
"""What needs no translation: what is made of translated parts, and what Django asks for and no page shows."""
SPOKEN = {"aria-label", "aria-description", "alt", "title", "placeholder"}
"""Attributes that people read or hear; so do those for scripts that hold several words."""


class Texts(HTMLParser):
    """All that a page says: what stands in it, and then what attributes say."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self._read: list[str] = []
        self._attributes: list[str] = []
        self._silent: list[str] = []
        self.feed(html)
        self.found = ("\n".join(self._read), *self._attributes)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style") or ("translate", "no") in attrs:
            self._silent.append(tag)
        for name, value in attrs:
            if value and (name in SPOKEN or (name.startswith("data-") and re.search(r"[a-z] [a-z]", value))):
                self._attributes.append(value)

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self._read.append(" ".join(data.split()))


KEPT = (
    render_cached.cache_clear,
    cached_fragment.cache_clear,
    MOVE_LISTS.clear,
    language._translator.cache_clear,
)
"""What remembers translated texts."""


@pytest.fixture
def _no_prose(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rules without what is translated as a whole: with nothing but their examples."""
    rules_in = Description.rules_in

    def examples_only(description: Description, language: str) -> tuple[str, str]:
        text, found = rules_in(description, language)
        return "\n\n".join(["# Rin", *re.findall(r"<!-- example: .* -->", text)]), found

    monkeypatch.setattr(Description, "rules_in", examples_only)
    prose_of.cache_clear()
    yield
    prose_of.cache_clear()


@pytest.fixture
def _nothing_kept() -> Iterator[None]:
    """Texts are translated anew: before, for what a test does to the language, and for others afterwards."""
    for clear in KEPT:
        clear()
    yield
    for clear in KEPT:
        clear()


ASKED: set[str] = set()
"""The texts whose translation was asked for."""


def _marked(text: str, key: str = "") -> str:
    if isinstance(text, str):  # and no lazy one, which is asked for by itself
        ASKED.add(key or text)
    return f"⟦{text}⟧" if text else text


def _unmarked(text: str) -> str:
    """What is left of a text without what was translated."""
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = shorter
    return NAMES.sub("", text)


@pytest.mark.usefixtures("_no_prose", "_nothing_kept")
def test_pages_say_nothing_that_is_not_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    check_that_all_is_translated(monkeypatch, games())


def check_that_all_is_translated(monkeypatch: pytest.MonkeyPatch, names: Iterable[str]) -> None:
    translation.gettext("")  # lets Django choose the functions that are replaced here
    chosen = vars(translation)["_trans"]
    ASKED.clear()
    monkeypatch.setattr(chosen, "gettext", _marked)
    monkeypatch.setattr(chosen, "ngettext", lambda one, many, n: _marked(one if n == 1 else many, one))
    monkeypatch.setattr(chosen, "pgettext", lambda context, text: _marked(text, f"{context}\x04{text}"))
    left: dict[str, str] = {}
    asked: dict[str, str] = {}
    for address, html in Walk("en").pages(names):
        for text in Texts(html).found:
            for line in _unmarked(text).splitlines():
                if re.search(r"[A-Za-z]{2}", line):
                    left.setdefault(line, address)
        asked |= dict.fromkeys(ASKED - asked.keys(), address)
    assert left == {}
    for spoken in LANGUAGES:
        catalogue = vars(trans_real.translation(spoken))["_catalog"]  # with Django's own texts
        known = {key if isinstance(key, str) else key[0] for key in catalogue.keys()}  # noqa: SIM118
        missing = {text: at for text, at in asked.items() if text not in known and not WHOLE.search(text)}
        assert {text: at for text, at in missing.items() if re.search(r"\w{2}", NAMES.sub("", text))} == {}


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_pages_say_nothing_in_english(spoken: str) -> None:
    check_that_nothing_is_english(spoken, games())


def check_that_nothing_is_english(spoken: str, names: Iterable[str]) -> None:
    with translation.override(spoken):
        plain = [text for text, *_ in messages() if isinstance(text, str) and not re.search("[{%<]", text)]
        english = {text for text in plain if " " in text and translation.gettext(text) != text}
    left: dict[str, str] = {}
    for address, html in Walk(spoken).pages(names):
        assert "<html" not in html or re.search(rf'<html[^>]* lang="{spoken}"', html)
        for text in Texts(html).found:
            for line in text.splitlines():
                if line.strip() in english:
                    left.setdefault(line, address)
    assert left == {}
