"""Pages with boards in fragments: a page that is open says which it has, and is sent the others.

`static/boardview/fragments.js` is the other end.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from http import HTTPStatus
from typing import Any, Generic, TypeAlias, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi.server.boardview.board_look import BoardLook
from kakomi.server.boardview.presenters import BoardPresenter

HEADER = "Kakomi-Etags"
"""The header in which a page names its fragments."""
CACHED = 10_000
"""The fragments made last; most have a kilobyte or less."""
Presenter = TypeVar("Presenter")


@dataclass(frozen=True)
class Fragment:
    """The content of one place of the page."""

    name: str
    html: SafeString
    etag: str = ""
    """A name of what it holds, by which a page says that it has it; empty: it is always sent."""
    is_rest: bool = False
    """Whether it is only what the page is lacking."""

    @property
    def element(self) -> SafeString:
        """With the element that a page finds it by."""
        marked = f' data-etag="{self.etag}"' if self.etag else ""
        rest = " data-rest" if self.is_rest else ""
        return SafeString(f'<div data-fragment="{self.name}"{marked}{rest}>{self.html}</div>')


Maker: TypeAlias = Callable[[Presenter], Fragment]
"""Makes a fragment for a presenter."""


@dataclass(frozen=True)
class FragmentSet(Generic[Presenter]):
    """The fragments of a page for one viewer, each made on first use."""

    presenter: Presenter
    root: Mapping[str, object]
    """The attributes of the element around them; those that are False are left out."""
    makers: Mapping[str, Maker[Presenter]]
    rest_makers: Mapping[str, Callable[[Presenter, str], Fragment | None]] = field(default_factory=dict)
    """Makers for fragments that a page may need only in part; None: the page needs the whole."""

    @property
    def attributes(self) -> SafeString:
        """All attributes of the element. A page removes those that a response lacks."""
        given = [(name, value) for name, value in self.root.items() if value is not False]
        return SafeString(
            " ".join(name if value is True else f'{name}="{escape(str(value))}"' for name, value in given)
        )

    def __getitem__(self, name: str) -> SafeString:
        """The element of one of them, for a template. Raises KeyError if there is none."""
        return self.makers[name](self.presenter).element

    def pieces(self, has: Mapping[str, str]) -> "Pieces":
        """The element with the fragments that a page lacks, by the etags of those it has."""
        lacking = list(self.lacking(has))
        html = "\n".join(fragment.element for fragment in lacking)
        replaced = {fragment.name for fragment in lacking if not fragment.is_rest}
        return Pieces(
            f"<section {self.attributes}>\n{html}\n</section>",
            {name: etag for name, etag in has.items() if name in self.makers and name not in replaced},
            {fragment.name: fragment.etag for fragment in lacking},
        )

    def lacking(self, has: Mapping[str, str]) -> Iterator[Fragment]:
        """The fragments that a page lacks, by the etags of those it has."""
        for name, maker in self.makers.items():
            part = self.rest_makers.get(name)
            fragment = (part and part(self.presenter, has.get(name, ""))) or maker(self.presenter)
            if fragment.is_rest or not fragment.etag or fragment.etag != has.get(name):
                yield fragment


@dataclass(frozen=True)
class Pieces:
    """What makes a page up to date that has certain fragments."""

    html: str
    """The element with the others."""
    keeps: Mapping[str, str]
    """The etags that have to stand on the page, as their fragments aren't there, or only in part."""
    brings: Mapping[str, str]
    """The etags of those that are there."""

    @property
    def etags(self) -> dict[str, str]:
        """The etags that the page has then."""
        return {name: etag for name, etag in {**self.keeps, **self.brings}.items() if etag}


def respond(
    request: HttpRequest,
    fragments: FragmentSet[Any],
    template: str,
    context: Mapping[str, object],
    status: int = HTTPStatus.OK,
    sent: Callable[[Pieces], None] = lambda pieces: None,
) -> HttpResponse:
    """The page of a template, with `fragments` in its context; for a page that is open, the element with the
    fragments that it lacks, of which `sent` is told."""
    if is_partial(request):
        pieces = fragments.pieces(parse_etags(request.headers.get(HEADER, "")))
        sent(pieces)
        response = HttpResponse(pieces.html, status=status)
    else:
        response = render(request, template, {**context, "fragments": fragments}, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response


def is_partial(request: HttpRequest) -> bool:
    """Whether the request is for the changing part of a page only."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def parse_etags(header: str) -> dict[str, str]:
    """The etags of the fragments that a page has, from `name=etag name=etag`."""
    pairs = (pair.partition("=") for pair in header.split())
    return {name: etag for name, _, etag in pairs}


def fragment(name: str, template: str, **values: Hashable) -> Fragment:
    """One that sees nothing but these values, made once for all that have the same."""
    return cached_fragment(name, template, get_language(), tuple(values.items()))


@lru_cache(maxsize=CACHED)
def cached_fragment(
    name: str, template: str, language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> Fragment:
    """A fragment from a template with its values, in the language that is spoken."""
    del language
    return digested_fragment(name, render_to_string(template, dict(values)))


def digested_fragment(name: str, html: str) -> Fragment:
    """A fragment with a digest of what it holds as its etag."""
    stripped = html.strip()
    return Fragment(name, mark_safe(stripped), hashlib.blake2b(stripped.encode(), digest_size=8).hexdigest())


def empty_fragment(name: str) -> Fragment:
    """A place of the page where nothing stands."""
    return Fragment(name, mark_safe(""), "none")


def board_fragment(board: BoardPresenter) -> Fragment:
    """A board."""
    return Fragment("board", mark_safe(f'<div class="board-place">{board.html}</div>'), board.etag)


def look_fragment(look: BoardLook) -> Fragment:
    """The fields for the look of all boards."""
    return fragment("board_look", "boardview/_board_look.html", look=look)


def changed_board(board: BoardPresenter, has: str) -> Fragment | None:
    """The changes to the board on a page; None for another board."""
    if has != board.etag:
        return None
    return Fragment("board", board.changes, has, is_rest=True)
