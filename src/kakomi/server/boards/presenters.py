"""Boards for pages, and the effects of actions that a page previews under the pointer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypedDict

from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from kakomi.core import Action, Position
from kakomi.core.effects import Effect, effects_of
from kakomi.draw import Hint, Overlay, Scene
from kakomi.draw.board_template import ID_PREFIX, template_of
from kakomi.draw.layers import hints
from kakomi.draw.svg import board_etag, draw_changes, draw_svg
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.engines import shared_pool
from kakomi.server.site.language import translate, translator

CACHED = 200
"""The number of cached positions; each takes a few kilobytes."""


class EffectData(TypedDict):
    """An effect as a page's script gets it."""

    changes: dict[str, int | None]
    """Points -> the player whose stone is there afterwards, null for none."""
    words: str
    """The changes and gains in a few words."""


class EffectsData(TypedDict):
    """All effects of a position's actions."""

    player: int
    """The player to act."""
    effects: dict[str, EffectData]
    """By the action's text, without actions that only place their stone."""


def effects_data(position: Position) -> EffectsData:
    """The effects of all legal actions in the viewer's language."""
    return _effects_data(position, position.turn, get_language())


@lru_cache(maxsize=CACHED)
def _effects_data(position: Position, turn: tuple[int, ...], language: str | None) -> EffectsData:
    """Cached by turn too, as equal positions may be within different turns."""
    del turn, language
    names = [translate(name) for name in position.game.player_names]
    return {
        "player": position.to_move,
        "effects": {
            text: {"changes": dict(effect.changes), "words": effect_words(effect, names)}
            for text, effect in effects_of(position).items()
            if not effect.is_plain
        },
    }


def effect_words(effect: Effect, names: list[str]) -> str:
    """The changes and gains in a few words; `names` are the players'."""
    counted = (
        (effect.appearing, ngettext("fills {count} point", "fills {count} points", effect.appearing)),
        (effect.turned, ngettext("flips {count} stone", "flips {count} stones", effect.turned)),
        (effect.removed, ngettext("removes {count} stone", "removes {count} stones", effect.removed)),
    )
    said = [words.format(count=count) for count, words in counted if count]
    said += [
        f"{name} {gain:+g}".replace("-", "−") for name, gain in zip(names, effect.gains, strict=True) if gain
    ]
    if effect.is_last:
        said.append(gettext("ends the game"))
    if effect.expected:
        said.append(gettext("then {expected}").format(expected=translate(effect.expected)))
    return " · ".join(said)


PREFIX = "board"
"""The id of a page's only board, and the prefix of the ids in it."""
_SIGNS = {"dot": "●", "ring": "◯", "square": "▢", "cross": "✕", "area": "▒", "heat": "▒"}
"""The look of marks, for the legend; numbers need no explanation."""


@dataclass(frozen=True)
class OverlayChoice:
    """An overlay, and whether the viewer has switched it on."""

    name: str
    title: str
    is_on: bool
    signs: str
    """The kinds of marks currently in the overlay, as characters."""


@dataclass(frozen=True)
class BoardPresenter:
    """A position with a viewer's preferences."""

    position: Position
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    prefix: str = PREFIX
    is_interactive: bool = True
    """Whether points and cells are buttons."""
    may_play: bool = False
    """Whether the buttons have the legal actions."""
    numbers: Mapping[str, str] | None = None
    """Texts on points and cells, if there are any."""
    draft: tuple[str, ...] = ()
    """Points and cells of a turn that isn't confirmed yet."""

    def __post_init__(self) -> None:
        """Start compiling the game, as somebody is looking at it."""
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
        """The drawing as SVG."""
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
        """The etag of the empty board, the same for all positions drawn on it."""
        return board_etag(self.scene)

    @property
    def changes(self) -> SafeString:
        """The changes that turn any drawing with the same etag into this one."""
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
            if not overlay.is_lasting
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
    """A position's overlays, cached for all viewers. Equal positions may be within different turns."""
    del turn
    return position.overlays()


def draw_badges(position: Position, badges: Iterable[Hint], turned: int) -> str:
    """Draw badges as elements for the layer `hints` of a page's board."""
    scene = position.scene(turned=turned, hints=badges)
    return "\n".join(hints(scene, template_of(scene))).replace(ID_PREFIX, PREFIX)
