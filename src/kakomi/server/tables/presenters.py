"""A table as a page shows it, for one viewer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from django.utils.safestring import SafeString, mark_safe

from kakomi.core import Action, Position
from kakomi.draw import Overlay, Scene
from kakomi.draw.svg import board_etag, draw_changes, draw_svg
from kakomi.server.accounts.models import new_token
from kakomi.server.language import translate
from kakomi.server.tables import models, sentences
from kakomi.server.tables.history import MoveList, PastMoment, Steps, move_list, numbers
from kakomi.server.tables.labels import board_label, option_labels
from kakomi.server.tables.permissions import Permissions, Viewer
from kakomi.server.tables.seat_views import SeatView, seat_views
from kakomi.server.tables.turn import Turn, turn_of
from kakomi.server.tables.view_preferences import ViewPreferences
from kakomi.session import Match, MatchGame, Offer, Table

_BOARD = "board"
"""The id of the drawing, and what the ids in it begin with."""
_SIGNS = {"dot": "●", "ring": "◯", "square": "▢", "cross": "✕", "area": "▒"}
"""How marks look, for the legend; numbers are seen to be numbers."""


def _signs(overlay: Overlay) -> str:
    return " ".join(dict.fromkeys(_SIGNS[mark.kind] for mark in overlay.marks if mark.kind in _SIGNS))


@lru_cache(maxsize=500)
def _overlays(position: Position, turn: tuple[int, ...]) -> tuple[Overlay, ...]:
    """What everybody at a table sees, worked out once; equal positions may be within different turns."""
    del turn
    return position.overlays()


@dataclass(frozen=True)
class Choice:
    """An overlay, and whether the viewer has switched it on."""

    name: str
    title: str
    is_on: bool
    signs: str
    """What it draws at present."""


@dataclass(frozen=True)
class TablePresenter:
    """What the template of a table needs, by name."""

    row: models.Table
    table: Table
    viewer: Viewer
    past: PastMoment | None = None
    """The earlier moment that is looked at; None for now."""
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    refusal: str = ""
    """Why what was just asked for was not done."""

    @staticmethod
    def of(
        row: models.Table,
        table: Table,
        viewer: Viewer,
        preferences: ViewPreferences,
        refusal: str = "",
        *,
        game: int | None = None,
        ply: int | None = None,
    ) -> "TablePresenter":
        """The table now, or as it was after a ply of one of its games (the first is 1)."""
        return TablePresenter(row, table, viewer, PastMoment.of(table.match, game, ply), preferences, refusal)

    @property
    def match(self) -> Match:
        return self.table.match

    @cached_property
    def leg(self) -> MatchGame:
        """The game that the board shows."""
        return self.past.leg if self.past else self.match.current_game

    @cached_property
    def key(self) -> str:
        """A name for what the viewer does next, so that it is done once however often it is sent."""
        return new_token()

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """Who sits where."""
        return seat_views(self.row, self.table, self.viewer, time.time())

    @cached_property
    def acting(self) -> SeatView | None:
        """The viewer's seat, if something is wanted of it."""
        number = self.viewer.acting(self.table)
        return None if number is None else self.seats[number]

    @cached_property
    def turn(self) -> Turn:
        """What the viewer has put together; nobody else sees it."""
        return turn_of(self.table, self.acting.seat if self.acting else None)

    @property
    def may_play(self) -> bool:
        """Whether the viewer can add an action to their turn."""
        playing = self.acting is not None and self.match.phase == "play" and self.past is None
        return playing and not self.turn.is_complete

    @cached_property
    def position(self) -> Position:
        """What the board shows."""
        return self.past.position if self.past else self.turn.position

    @cached_property
    def _scene(self) -> Scene:
        game = self.position.game
        begun = self.turn.actions if self.past is None else ()
        drafted = [game.actions[game.action(text)].target for text in begun]
        scene = self.position.scene(
            legal=self.may_play,
            turned=self.preferences.turned % game.geometry.turns,
            numbers=numbers(self.leg, self.position) if self.preferences.is_numbered else None,
            draft=[target for target in drafted if target],
        )
        return replace(scene, overlays=self._overlays_on, dotted=self.preferences.is_dotted)

    @property
    def board(self) -> SafeString:
        """The drawing."""
        return mark_safe(
            draw_svg(self._scene, prefix=_BOARD, styled=False, interactive=True, translate=translate)
        )

    @property
    def board_etag(self) -> str:
        """What drawings of the same board have in common, whatever happened on it."""
        return board_etag(self._scene)

    @property
    def board_changes(self) -> SafeString:
        """What may be different in the drawing of a page that has one of the same print."""
        return mark_safe(draw_changes(self._scene, prefix=_BOARD, translate=translate))

    @property
    def _overlays_on(self) -> tuple[Overlay, ...]:
        known = _overlays(self.position, self.position.turn)
        return tuple(overlay for overlay in known if overlay.name in self.preferences.overlays)

    @cached_property
    def overlays(self) -> tuple[Choice, ...]:
        """What can be switched on."""
        return tuple(
            Choice(
                overlay.name,
                translate(overlay.title),
                overlay.name in self.preferences.overlays,
                _signs(overlay),
            )
            for overlay in _overlays(self.position, self.position.turn)
        )

    @property
    def confirms(self) -> bool | None:
        """Whether the viewer confirms turns; None if they are unknown."""
        return self.viewer.guest.confirms_turns if self.viewer.guest else None

    @cached_property
    def off_board(self) -> list[Action]:
        """What can be done now without touching the board: pass, end the turn."""
        actions = self.turn.position.game.actions
        legal = self.turn.position.legal_actions() if self.may_play else []
        return [actions[number] for number in legal if actions[number].target is None]

    @cached_property
    def moves(self) -> MoveList:
        """The turns of the game that is shown."""
        return move_list(self.leg, self.steps.game)

    @property
    def headline(self) -> str:
        """Who has won the match."""
        return sentences.headline(self.match.winners(), self.seats)

    @cached_property
    def prompt(self) -> str:
        """What is wanted next."""
        return sentences.prompt(self.table, self.seats, self.acting, self.turn)

    @property
    def latest(self) -> str:
        """What was done last."""
        return sentences.latest(self.table, self.seats)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.table.is_over

    @cached_property
    def results(self) -> list[sentences.GameResult]:
        """The games of the match that are over."""
        return sentences.game_results(self.match, self.seats)

    @property
    def offer(self) -> Offer | None:
        """What somebody offers or asks for."""
        return self.table.offer

    @property
    def offering(self) -> SeatView | None:
        """Who offers it."""
        return self.seats[self.table.offer.seat] if self.table.offer else None

    @property
    def speaking(self) -> SeatView | None:
        """The seat for which the viewer would resign."""
        number = self.viewer.speaking(self.table)
        return None if number is None else self.seats[number]

    @cached_property
    def permissions(self) -> Permissions:
        """What the viewer may do beside playing."""
        return Permissions(self.table, self.viewer)

    @cached_property
    def steps(self) -> Steps:
        """Where one can step to from the moment that is shown."""
        here, length = (self.past.ply, self.past.length) if self.past else (self.leg.position.ply,) * 2
        return Steps(self.past.game if self.past else len(self.match.games), here, length)

    @property
    def board_label(self) -> str:
        """The board's size, and how many play."""
        return board_label(self.leg.game)

    @property
    def options(self) -> tuple[tuple[str, int], ...]:
        """How else the game is played."""
        return tuple(option_labels(self.leg.game))

    @property
    def komis(self) -> Sequence[int]:
        """What the komi may be."""
        return self.leg.game.description.komi.allowed_given(self.leg.game.options)

    @property
    def turned_next(self) -> int:
        """How the board is seen when it is turned once more."""
        return (self.preferences.turned + 1) % self.position.game.geometry.turns
