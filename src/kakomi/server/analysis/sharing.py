"""Studies and positions seen from elsewhere: pictures, boards for other people's pages, what a link says."""

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
from kakomi.server.analysis.permissions import find_study, hides_running_games
from kakomi.server.analysis.presenters import StudyPresenter
from kakomi.server.analysis.study_tree import actions_to, position_at
from kakomi.server.games import expectation, find_description, setup_label
from kakomi.server.language import translate
from kakomi.server.rendering import RenderJob
from kakomi.server.sharing import (
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
from kakomi.session import Refused

FLAWS = (Refused, RecordError, IllegalAction)
"""What may be wrong with a link that carries a position."""
_KEPT = 256
"""Positions of links that are kept: a page, its picture and its frame ask for the same one."""


@dataclass(frozen=True)
class SharedBoard:
    """A position, and the way to it."""

    game: Game
    start: str
    """The text of the position where the actions begin; empty for the game's start."""
    actions: tuple[str, ...]
    position: Position

    @property
    def title(self) -> str:
        """The game's name."""
        return translate(self.game.description.title)

    @property
    def job(self) -> RenderJob:
        """What draws it as PNG."""
        options, turns = dict(self.game.options), [list(self.actions)]
        return RenderJob("png", self.game.name, options, turns, position=self.start)

    @property
    def record(self) -> Record:
        """As a study keeps it."""
        return recorded(self.game, self.actions, position=self.start)

    @property
    def link(self) -> str:
        """The address of the page that shows it; empty if it would be too long."""
        return link_to(self.game, self.actions, self.start)

    def address(self, view: str) -> str:
        """The address of a picture or a frame that carries the position."""
        return f"{reverse(view, args=[self.game.name])}?{self.link.partition('?')[2]}"


def board_in(name: str, fields: Mapping[str, str]) -> SharedBoard:
    """The position that a link carries. Raises Http404 for a game that there isn't, and FLAWS."""
    find_description(name)
    return _board_in(name, known_fields(name, fields))


@lru_cache(maxsize=_KEPT)
def _board_in(name: str, fields: tuple[tuple[str, str], ...]) -> SharedBoard:
    record = record_in(name, dict(fields))
    game, node = game_of(record, catalog.game), len(record.turns)
    return SharedBoard(game, record.position, actions_to(record, node), position_at(record, game, node))


def _asked_board(request: HttpRequest, game: str) -> SharedBoard:
    """The same for what is no page. Raises Http404 or BadRequest, which says what is wrong."""
    try:
        return board_in(game, request.GET)
    except FLAWS as flaw:
        raise BadRequest(*flaw.args) from None


def position_preview(request: HttpRequest, board: SharedBoard) -> LinkPreview:
    """What a link to a position says."""
    return LinkPreview(
        title=board.title,
        description=f"{setup_label(board.game)} · {expectation(board.position)}",
        url=request.build_absolute_uri(board.link),
        image=request.build_absolute_uri(board.address("position_png")),
        alt=board_alt(board.title),
    )


@require_safe
def position_svg(request: HttpRequest, game: str) -> HttpResponse:
    """A picture of the position that the address carries; `theme` may be light, dark or auto."""
    return shared_svg(request, _asked_board(request, game).position, LASTING)


@require_safe
async def position_png(request: HttpRequest, game: str) -> HttpResponse:
    """The same as PNG. 503 where it can't be made now."""
    board = await sync_to_async(_asked_board)(request, game)
    return await shared_png(board.job, LASTING)


@require_safe
def position_embed(request: HttpRequest, game: str) -> HttpResponse:
    """A board for an `<iframe>` with the position that the address carries."""
    board = _asked_board(request, game)
    caption = f"{board.title}: {expectation(board.position)}"
    picture = f"{board.address('position_picture')}&theme=auto"
    return shared_frame(request, Frame(board.title, caption, picture, board.link))


@dataclass(frozen=True)
class _StudyBoard:
    """A study at a node."""

    study: Study
    node: int
    board: SharedBoard

    def address(self, view: str) -> str:
        """The address of the page, the picture or the frame."""
        return f"{reverse(view, args=[self.study.code])}?node={self.node}"


def _study_board(request: HttpRequest, code: str) -> _StudyBoard:
    """A study at the node that the address names. Raises Http404 or GameStillRunning."""
    study = find_study(request, code)
    record, game = selectors.record_of(study), selectors.game_of_study(study)
    node = node_in(request.GET, record)
    board = SharedBoard(game, record.position, actions_to(record, node), position_at(record, game, node))
    return _StudyBoard(study, node, board)


def study_preview(request: HttpRequest, study: StudyPresenter) -> LinkPreview:
    """What a link to a study says, at the node that is looked at."""
    title, code, query = translate(study.game.description.title), study.row.code, f"?node={study.node}"
    return LinkPreview(
        title=study.title,
        description=f"{title} · {study.options}",
        url=request.build_absolute_uri(reverse("study", args=[code]) + query),
        image=request.build_absolute_uri(reverse("study_png", args=[code]) + query),
        alt=board_alt(title),
    )


@require_safe
@hides_running_games
def study_svg(request: HttpRequest, code: str) -> HttpResponse:
    """A picture of a study at the node that the address names, by default at the end of its main line."""
    return shared_svg(request, _study_board(request, code).board.position, CHANGING)


@require_safe
@hides_running_games
async def study_png(request: HttpRequest, code: str) -> HttpResponse:
    """The same as PNG. 503 where it can't be made now."""
    found = await sync_to_async(_study_board)(request, code)
    return await shared_png(found.board.job, f"private, max-age={LATER_SECONDS}")


@require_safe
@hides_running_games
def study_embed(request: HttpRequest, code: str) -> HttpResponse:
    """A board for an `<iframe>` with a study's position at a node."""
    found = _study_board(request, code)
    picture = f"{found.address('study_picture')}&theme=auto"
    frame = Frame(found.board.title, found.study.heading, picture, found.address("study"), LATER_SECONDS)
    return shared_frame(request, frame)
