"""Pages with boards in fragments: an open page sends the etags of those it has, and gets the others.

`static/boards/fragments.js` is the client side.
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

from kakomi.server.boards.board_look import BoardLook
from kakomi.server.boards.presenters import BoardPresenter

HEADER = "Kakomi-Etags"
"""The request header with the names and etags of a page's fragments."""
CACHED = 10_000
"""The number of cached fragments; most have a kilobyte or less."""
Presenter = TypeVar("Presenter")


@dataclass(frozen=True)
class Fragment:
    """One part of a page that can be replaced."""

    name: str
    html: SafeString
    etag: str = ""
    """Identifies the content, for pages that have it already; empty: it is always sent."""
    is_rest: bool = False
    """Whether it is only the part that the page lacks."""

    @property
    def element(self) -> SafeString:
        """The element that contains it and identifies it to the page."""
        marked = f' data-etag="{self.etag}"' if self.etag else ""
        rest = " data-rest" if self.is_rest else ""
        return SafeString(f'<div data-fragment="{self.name}"{marked}{rest}>{self.html}</div>')


Maker: TypeAlias = Callable[[Presenter], Fragment]
"""A function that makes a fragment for a presenter."""


@dataclass(frozen=True)
class FragmentSet(Generic[Presenter]):
    """The fragments of a page for one viewer, each made on demand."""

    presenter: Presenter
    root: Mapping[str, object]
    """The attributes of the enclosing element; those that are False are left out."""
    makers: Mapping[str, Maker[Presenter]]
    rest_makers: Mapping[str, Callable[[Presenter, str], Fragment | None]] = field(default_factory=dict)
    """Functions that return the part of a fragment that a page lacks, given the page's etag; None for all."""

    @property
    def attributes(self) -> SafeString:
        """The attributes of the element as HTML. A page removes those that are missing in a response."""
        given = [(name, value) for name, value in self.root.items() if value is not False]
        return SafeString(
            " ".join(name if value is True else f'{name}="{escape(str(value))}"' for name, value in given)
        )

    def __getitem__(self, name: str) -> SafeString:
        """The element of a fragment, for a template. Raises KeyError if there is no such fragment."""
        return self.makers[name](self.presenter).element

    def pieces(self, has: Mapping[str, str]) -> "Pieces":
        """The enclosing element with the fragments that a page lacks, given the etags of those it has."""
        lacking = list(self.lacking(has))
        html = "\n".join(fragment.element for fragment in lacking)
        replaced = {fragment.name for fragment in lacking if not fragment.is_rest}
        return Pieces(
            f"<section {self.attributes}>\n{html}\n</section>",
            {name: etag for name, etag in has.items() if name in self.makers and name not in replaced},
            {fragment.name: fragment.etag for fragment in lacking},
        )

    def lacking(self, has: Mapping[str, str]) -> Iterator[Fragment]:
        """The fragments that a page lacks, given the etags of those it has."""
        for name, maker in self.makers.items():
            part = self.rest_makers.get(name)
            fragment = (part and part(self.presenter, has.get(name, ""))) or maker(self.presenter)
            if fragment.is_rest or not fragment.etag or fragment.etag != has.get(name):
                yield fragment


@dataclass(frozen=True)
class Pieces:
    """An update for a page that has certain fragments."""

    html: str
    """The enclosing element with the fragments that the page lacks."""
    keeps: Mapping[str, str]
    """The etags of fragments that the page must already have, as they are missing here or only in part."""
    brings: Mapping[str, str]
    """The etags of the fragments included."""

    @property
    def etags(self) -> dict[str, str]:
        """The etags that the page has after the update."""
        return {name: etag for name, etag in {**self.keeps, **self.brings}.items() if etag}


def respond(
    request: HttpRequest,
    fragments: FragmentSet[Any],
    template: str,
    context: Mapping[str, object],
    status: int = HTTPStatus.OK,
    sent: Callable[[Pieces], None] = lambda pieces: None,
) -> HttpResponse:
    """Render the page of a template, with `fragments` in its context. For an open page, return only the
    element with the fragments that it lacks, and pass these to `sent`."""
    if is_partial(request):
        pieces = fragments.pieces(parse_etags(request.headers.get(HEADER, "")))
        sent(pieces)
        response = HttpResponse(pieces.html, status=status)
    else:
        response = render(request, template, {**context, "fragments": fragments}, status=status)
    response["Cache-Control"] = "private, no-cache"
    return response


def is_partial(request: HttpRequest) -> bool:
    """Whether the request is from an open page and only for its changed fragments."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def parse_etags(header: str) -> dict[str, str]:
    """Parse the etags of a page's fragments, from `name=etag name=etag`."""
    pairs = (pair.partition("=") for pair in header.split())
    return {name: etag for name, _, etag in pairs}


def fragment(name: str, template: str, **values: Hashable) -> Fragment:
    """A fragment that depends only on these values and the language, and is cached by them."""
    return cached_fragment(name, template, get_language(), tuple(values.items()))


@lru_cache(maxsize=CACHED)
def cached_fragment(
    name: str, template: str, language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> Fragment:
    """A fragment from a template and its values. The active language must be `language`."""
    del language
    return digested_fragment(name, render_to_string(template, dict(values)))


def digested_fragment(name: str, html: str) -> Fragment:
    """A fragment whose etag is a digest of its content."""
    stripped = html.strip()
    return Fragment(name, mark_safe(stripped), hashlib.blake2b(stripped.encode(), digest_size=8).hexdigest())


def empty_fragment(name: str) -> Fragment:
    """A fragment without content."""
    return Fragment(name, mark_safe(""), "none")


def board_fragment(board: BoardPresenter) -> Fragment:
    """The fragment of a board."""
    return Fragment("board", mark_safe(f'<div class="board-place">{board.html}</div>'), board.etag)


def look_fragment(look: BoardLook) -> Fragment:
    """The fragment with the fields for the look of all boards."""
    return fragment("board_look", "boards/_board_look.html", look=look)


def changed_board(board: BoardPresenter, has: str) -> Fragment | None:
    """The changes to a page's board as a partial fragment; None if the page has a different board."""
    if has != board.etag:
        return None
    return Fragment("board", board.changes, has, is_rest=True)
