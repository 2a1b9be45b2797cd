"""A board as pages show it: at a table, in an analysis, in the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from django.utils.safestring import SafeString, mark_safe

from kakomi.core import Action, Position
from kakomi.draw import Overlay, Scene
from kakomi.draw.svg import board_etag, draw_changes, draw_svg
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.language import translate

PREFIX = "board"
"""The id of a page's only board, and what the ids in it begin with."""
_SIGNS = {"dot": "●", "ring": "◯", "square": "▢", "cross": "✕", "area": "▒"}
"""How marks look, for the legend; numbers are seen to be numbers."""


@dataclass(frozen=True)
class OverlayChoice:
    """An overlay, and whether the viewer has switched it on."""

    name: str
    title: str
    is_on: bool
    signs: str
    """What it draws at present."""


@dataclass(frozen=True)
class BoardPresenter:
    """A position as a viewer wishes to see it."""

    position: Position
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    prefix: str = PREFIX
    is_interactive: bool = True
    """Whether points and cells are buttons."""
    may_play: bool = False
    """Whether buttons know the actions that can be played on them."""
    numbers: Mapping[str, str] | None = None
    """What is written on points and cells, if anything is."""
    draft: tuple[str, ...] = ()
    """Points and cells of a turn that is not confirmed yet."""

    @cached_property
    def scene(self) -> Scene:
        """What is drawn."""
        scene = self.position.scene(
            legal=self.may_play, turned=self.turned, numbers=self.numbers, draft=self.draft
        )
        shown = tuple(overlay for overlay in self._overlays if overlay.name in self.preferences.overlays)
        return replace(scene, overlays=shown, dotted=self.preferences.is_dotted)

    @property
    def html(self) -> SafeString:
        """The drawing."""
        drawn = draw_svg(
            self.scene,
            prefix=self.prefix,
            styled=False,
            interactive=self.is_interactive,
            translate=translate,
        )
        return mark_safe(drawn)

    @property
    def etag(self) -> str:
        """What drawings of the same board have in common, whatever happened on it."""
        return board_etag(self.scene)

    @property
    def changes(self) -> SafeString:
        """What may be different in the drawing of a page that has one of the same etag."""
        return mark_safe(draw_changes(self.scene, prefix=self.prefix, translate=translate))

    @property
    def turned(self) -> int:
        """By how many of the board's turns it is seen turned."""
        return self.preferences.turned % self.position.game.geometry.turns

    @property
    def next_turned(self) -> int:
        """How the board is seen when it is turned once more."""
        return (self.turned + 1) % self.position.game.geometry.turns

    @cached_property
    def overlay_choices(self) -> tuple[OverlayChoice, ...]:
        """What can be switched on."""
        on = self.preferences.overlays
        return tuple(
            OverlayChoice(overlay.name, translate(overlay.title), overlay.name in on, _signs(overlay))
            for overlay in self._overlays
        )

    @property
    def off_board(self) -> list[Action]:
        """What can be done now without touching the board: pass, end the turn."""
        actions = self.position.game.actions
        legal = self.position.legal_actions() if self.may_play else []
        return [actions[number] for number in legal if actions[number].target is None]

    @property
    def _overlays(self) -> tuple[Overlay, ...]:
        return _overlays_of(self.position, self.position.turn)


def _signs(overlay: Overlay) -> str:
    return " ".join(dict.fromkeys(_SIGNS[mark.kind] for mark in overlay.marks if mark.kind in _SIGNS))


@lru_cache(maxsize=500)
def _overlays_of(position: Position, turn: tuple[int, ...]) -> tuple[Overlay, ...]:
    """What every viewer sees, worked out once; equal positions may be within different turns."""
    del turn
    return position.overlays()
