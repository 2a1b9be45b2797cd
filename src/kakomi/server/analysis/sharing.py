"""Share studies and positions: pictures, boards to embed in other sites, and link previews."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from asgiref.sync import sync_to_async
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.core import Game, IllegalAction, Position
from kakomi.records import Record, RecordError, game_of, recorded
from kakomi.server.analysis import selectors
from kakomi.server.analysis.forms import node_in
from kakomi.server.analysis.links import known_fields, link_to, record_in
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.permissions import explains_running_games, find_study
from kakomi.server.analysis.presenters import StudyPresenter
from kakomi.server.analysis.study_tree import actions_to, position_at
from kakomi.server.boards.sharing import (
    CHANGING,
    LASTING,
    LATER_SECONDS,
    Frame,
    LinkPreview,
    board_alt,
    shared_frame,
    shared_png,
    shared_svg,
)
from kakomi.server.site.games import expectation, find_description, setup_label
from kakomi.server.site.language import translate
from kakomi.server.site.rendering import RenderJob
from kakomi.session import Refused

FLAWS = (Refused, RecordError, IllegalAction)
"""The errors that a link to a position can raise."""
_CACHE_SIZE = 256
"""Positions cached, because a page, its picture and its frame all request the same one."""


@dataclass(frozen=True)
class SharedBoard:
    """A position, and the actions that led to it."""

    game: Game
    start: str
    """The text of the position in which the actions begin; empty for the game's start."""
    actions: tuple[str, ...]
    position: Position

    @property
    def title(self) -> str:
        """The game's name."""
        return translate(self.game.description.title)

    @property
    def job(self) -> RenderJob:
        """The job that renders it as PNG."""
        options, turns = dict(self.game.options), [list(self.actions)]
        return RenderJob("png", self.game.name, options, turns, position=self.start)

    @property
    def record(self) -> Record:
        """The position as a study's record."""
        return recorded(self.game, self.actions, position=self.start)

    @property
    def link(self) -> str:
        """The address of the position's page; empty if it would be too long."""
        return link_to(self.game, self.actions, self.start)

    def address(self, view: str) -> str:
        """The address of the position's picture or frame."""
        return f"{reverse(view, args=[self.game.name])}?{self.link.partition('?')[2]}"


def board_in(name: str, fields: Mapping[str, str]) -> SharedBoard:
    """The position that a link encodes. Raises `Http404` for an unknown game, or one of `FLAWS`."""
    find_description(name)
    return _board_in(name, known_fields(name, fields))


@lru_cache(maxsize=_CACHE_SIZE)
def _board_in(name: str, fields: tuple[tuple[str, str], ...]) -> SharedBoard:
    record = record_in(name, dict(fields))
    game, node = game_of(record, catalog.game), len(record.turns)
    return SharedBoard(game, record.position, actions_to(record, node), position_at(record, game, node))


def _requested_board(request: HttpRequest, game: str) -> SharedBoard:
    """`board_in` for pictures and frames. Raises `Http404`, or `BadRequest` with the reason."""
    try:
        return board_in(game, request.GET)
    except FLAWS as flaw:
        raise BadRequest(*flaw.args) from None


def position_preview(request: HttpRequest, board: SharedBoard) -> LinkPreview:
    """The preview of a link to a position."""
    return LinkPreview(
        title=board.title,
        description=f"{setup_label(board.game)} · {expectation(board.position)}",
        url=request.build_absolute_uri(board.link),
        image=request.build_absolute_uri(board.address("position_png")),
        alt=board_alt(board.title),
    )


@require_safe
def position_svg(request: HttpRequest, game: str) -> HttpResponse:
    """An SVG picture of the position in the address; `theme` may be light, dark or auto."""
    return shared_svg(request, _requested_board(request, game).position, LASTING)


@require_safe
async def position_png(request: HttpRequest, game: str) -> HttpResponse:
    """A PNG picture of the position in the address; 503 if it can't be rendered now."""
    board = await sync_to_async(_requested_board)(request, game)
    return await shared_png(board.job, LASTING)


@require_safe
def position_embed(request: HttpRequest, game: str) -> HttpResponse:
    """A page for an `<iframe>`, showing the position in the address."""
    board = _requested_board(request, game)
    caption = f"{board.title}: {expectation(board.position)}"
    picture = f"{board.address('position_picture')}&theme=auto"
    return shared_frame(request, Frame(board.title, caption, picture, board.link))


@dataclass(frozen=True)
class _StudyBoard:
    """A study, and its board at a node."""

    study: Study
    node: int
    board: SharedBoard

    def address(self, view: str) -> str:
        """The address of the node's page, picture or frame."""
        return f"{reverse(view, args=[self.study.code])}?node={self.node}"


def _study_board(request: HttpRequest, code: str) -> _StudyBoard:
    """A study at the request's `node`. Raises `Http404` or `GameStillRunning`."""
    study = find_study(request, code)
    record, game = selectors.record_of(study), selectors.game_of_study(study)
    node = node_in(request.GET, record)
    board = SharedBoard(game, record.position, actions_to(record, node), position_at(record, game, node))
    return _StudyBoard(study, node, board)


def study_preview(request: HttpRequest, study: StudyPresenter) -> LinkPreview:
    """The preview of a link to a study at the presenter's node."""
    title, code, query = translate(study.game.description.title), study.row.code, f"?node={study.node}"
    return LinkPreview(
        title=study.title,
        description=f"{title} · {study.options}",
        url=request.build_absolute_uri(reverse("study", args=[code]) + query),
        image=request.build_absolute_uri(reverse("study_png", args=[code]) + query),
        alt=board_alt(title),
    )


@require_safe
@explains_running_games
def study_svg(request: HttpRequest, code: str) -> HttpResponse:
    """An SVG picture of a study at `node`, by default the end of its main line."""
    return shared_svg(request, _study_board(request, code).board.position, CHANGING)


@require_safe
@explains_running_games
async def study_png(request: HttpRequest, code: str) -> HttpResponse:
    """A PNG picture of a study at `node`; 503 if it can't be rendered now."""
    found = await sync_to_async(_study_board)(request, code)
    return await shared_png(found.board.job, f"private, max-age={LATER_SECONDS}")


@require_safe
@explains_running_games
def study_embed(request: HttpRequest, code: str) -> HttpResponse:
    """A page for an `<iframe>`, showing a study's position at `node`."""
    found = _study_board(request, code)
    picture = f"{found.address('study_picture')}&theme=auto"
    frame = Frame(found.board.title, found.study.heading, picture, found.address("study"), LATER_SECONDS)
    return shared_frame(request, frame)
