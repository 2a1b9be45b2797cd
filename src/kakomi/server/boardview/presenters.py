"""A board as pages show it: at a table, in an analysis, in the rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe

from kakomi.core import Action, Position
from kakomi.draw import Hint, Overlay, Scene
from kakomi.draw.board_template import HERE, template_of
from kakomi.draw.layers import hints
from kakomi.draw.svg import board_etag, draw_changes, draw_svg
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.engines import shared_pool
from kakomi.server.language import translate, translator

PREFIX = "board"
"""The id of a page's only board, and what the ids in it begin with."""
_SIGNS = {"dot": "●", "ring": "◯", "square": "▢", "cross": "✕", "area": "▒", "heat": "▒"}
"""The look of marks, for the legend; numbers need no explanation."""


@dataclass(frozen=True)
class OverlayChoice:
    """An overlay, and whether the viewer has switched it on."""

    name: str
    title: str
    is_on: bool
    signs: str
    """The marks of the overlay at present."""


@dataclass(frozen=True)
class BoardPresenter:
    """A position with a viewer's preferences."""

    position: Position
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    prefix: str = PREFIX
    is_interactive: bool = True
    """Whether points and cells are buttons."""
    may_play: bool = False
    """Whether buttons know the actions that can be played on them."""
    numbers: Mapping[str, str] | None = None
    """Texts on points and cells, if there are any."""
    draft: tuple[str, ...] = ()
    """Points and cells of a turn that is not confirmed yet."""

    def __post_init__(self) -> None:
        """Have the game compiled that somebody looks at."""
        shared_pool().prepare(self.position.game.name)

    @cached_property
    def scene(self) -> Scene:
        """The scene to draw."""
        scene = self.position.scene(
            legal=self.may_play, turned=self.turned, numbers=self.numbers, draft=self.draft
        )
        shown = tuple(overlay for overlay in self._overlays if self.preferences.shows(overlay))
        return replace(scene, overlays=shown, dotted=self.preferences.is_dotted)

    @property
    def html(self) -> SafeString:
        """The drawing."""
        drawn = draw_svg(
            self.scene,
            prefix=self.prefix,
            styled=False,
            interactive=self.is_interactive,
            translate=translator(),
        )
        return mark_safe(drawn)

    @property
    def etag(self) -> str:
        """The etag of the board, the same for all drawings of it."""
        return board_etag(self.scene)

    @property
    def changes(self) -> SafeString:
        """The changes to a drawing with the same etag."""
        return mark_safe(draw_changes(self.scene, prefix=self.prefix, translate=translator()))

    @property
    def turned(self) -> int:
        """The rotation of the board, in steps of its symmetry."""
        return self.preferences.turned % self.position.game.geometry.turns

    @property
    def next_turned(self) -> int:
        """The next rotation of the board."""
        return (self.turned + 1) % self.position.game.geometry.turns

    @cached_property
    def overlay_choices(self) -> tuple[OverlayChoice, ...]:
        """The overlays to choose from."""
        shows = self.preferences.shows
        return tuple(
            OverlayChoice(overlay.name, translate(overlay.title), shows(overlay), _signs(overlay))
            for overlay in self._overlays
        )

    @property
    def off_board(self) -> list[Action]:
        """The legal actions off the board: pass, end the turn."""
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
    """The overlays that all viewers share, computed once. Equal positions may be within different turns."""
    del turn
    return position.overlays()


def draw_badges(position: Position, badges: Iterable[Hint], turned: int) -> str:
    """Badges as elements of a page's board, to be put into its layer `hints`."""
    scene = position.scene(turned=turned, hints=badges)
    return "\n".join(hints(scene, template_of(scene))).replace(HERE, PREFIX)
