"""Which characters, in which paint, stand for stones and for what overlays mark."""

from collections.abc import Iterable
from dataclasses import dataclass

from kakomi.draw.player_style import player_styles
from kakomi.draw.scene import Mark, Overlay, Scene

EMPTY = "."
NOBODYS = ":"
"""A place that is marked for nobody, or for several players."""
FAINT, STRONG = "2", "1"
_FITS, _WIDEST = 2, 3
"""Characters of text that fit at a point as it is, and where the board is drawn wider."""


@dataclass(frozen=True)
class Glyph:
    """Characters, the paint they are in, and what a legend says of them."""

    text: str
    paint: str
    meaning: str = ""


_SHARED = Glyph(NOBODYS, STRONG, "several players")


def glyph_of_point(scene: Scene, name: str) -> Glyph:
    """A stone or an empty point."""
    player = scene.owners.get(name)
    if player is None:
        return Glyph(EMPTY, FAINT)
    style = player_styles(scene.player_names)[player]
    return Glyph(style.letter, style.paint)


def glyphs_of_overlay(scene: Scene, overlay: Overlay, rank: int) -> dict[str, Glyph]:
    """What an overlay changes: the glyphs by place.

    `rank` is 0 for the first overlay that changes stones' letters, 1 for the others.
    """
    glyphs: dict[str, Glyph] = {}
    for mark in overlay.marks:
        if _changes(scene, mark):
            glyph = _glyph(scene, mark, rank)
            glyphs[mark.at] = glyph if glyphs.get(mark.at, glyph) == glyph else _SHARED
    return glyphs


def notes_of_overlay(scene: Scene, overlay: Overlay) -> dict[str, str]:
    """What an overlay writes behind stones' letters."""
    return {mark.at: mark.text[:_WIDEST] for mark in overlay.marks if _is_note(scene, mark)}


def changes_letters(scene: Scene, overlay: Overlay) -> bool:
    """Whether an overlay writes any stone as another letter."""
    return any(mark.at in scene.stones and _changes(scene, mark) for mark in overlay.marks)


def needs_room(scene: Scene) -> bool:
    """Whether something is written that doesn't fit between neighbouring points."""
    if scene.kinds:
        return True
    marks = [mark for overlay in scene.overlays for mark in overlay.marks if mark.kind == "text"]
    return any(_is_note(scene, mark) or len(mark.text) > _FITS for mark in marks)


def _changes(scene: Scene, mark: Mark) -> bool:
    """A stone in an area of its own player is written as ever, and notes leave the letter alone."""
    plain = mark.kind == "area" and mark.at in scene.stones and scene.owners[mark.at] == mark.player
    return not plain and not _is_note(scene, mark)


def _is_note(scene: Scene, mark: Mark) -> bool:
    return mark.kind == "text" and mark.at in scene.stones


def _glyph(scene: Scene, mark: Mark, rank: int) -> Glyph:
    players = player_styles(scene.player_names)
    if mark.at in scene.stones:
        stone = scene.owners[mark.at]
        return Glyph(players[stone].marked[rank], players[stone].paint, scene.player_names[stone])
    paint = STRONG if mark.player is None else players[mark.player].hue
    if mark.kind == "text":
        return Glyph(mark.text[:_WIDEST], paint, mark.text)
    if mark.player is None:
        return Glyph(NOBODYS, paint, mark.text)
    return Glyph(_letter(scene, mark, players[mark.player].letter), paint, scene.player_names[mark.player])


def _letter(scene: Scene, mark: Mark, letter: str) -> str:
    """Small for a place that is a player's; a cell that is marked more strongly gets the capital."""
    strong = mark.kind in ("ring", "square") and mark.at not in scene.geometry.index
    return letter if strong else letter.lower()


def legend_of(title: str, glyphs: Iterable[Glyph]) -> str:
    """An overlay's line under the board; glyphs that say themselves what they mean need no word."""
    meanings = sorted({(glyph.text, glyph.meaning) for glyph in glyphs if glyph.text != glyph.meaning})
    parts = [f"{text} {meaning}".rstrip() for text, meaning in meanings]
    return f"{title} ({', '.join(parts)})" if parts else title
