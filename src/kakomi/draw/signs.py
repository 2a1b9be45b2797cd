"""Which characters, in which paint, stand for stones and for what overlays mark."""

from collections.abc import Mapping
from dataclasses import dataclass

from kakomi.draw.livery import liveries
from kakomi.draw.scene import Mark, Overlay, Scene

EMPTY = "."
NOBODYS = ":"
"""A place that is marked for nobody, or for several players."""
FAINT, STRONG = "2", "1"
_WIDEST = 2


@dataclass(frozen=True)
class Sign:
    """Characters, and the paint they are in."""

    text: str
    paint: str


def sign_of_point(scene: Scene, name: str) -> Sign:
    """A stone or an empty point."""
    player = scene.stones.get(name)
    if player is None:
        return Sign(EMPTY, FAINT)
    livery = liveries(scene.player_names)[player]
    return Sign(livery.letter, livery.paint)


def signs_of_overlay(scene: Scene, overlay: Overlay, rank: int) -> tuple[dict[str, Sign], dict[str, str]]:
    """What an overlay changes: the signs by place, and what each sign means.

    `rank` is 0 for the first overlay that marks stones, 1 for the others.
    """
    signs: dict[str, Sign] = {}
    meanings: dict[str, str] = {}
    for mark in overlay.marks:
        if _is_plain(scene, mark):
            continue
        sign, meaning = _sign(scene, mark, rank), _meaning(scene, mark)
        if signs.get(mark.at, sign) != sign:
            sign, meaning = Sign(NOBODYS, STRONG), "several players"
        signs[mark.at] = sign
        meanings[sign.text] = meaning
    return signs, meanings


def marks_stones(scene: Scene, overlay: Overlay) -> bool:
    """Whether an overlay changes how any stone is written."""
    return any(mark.at in scene.stones and not _is_plain(scene, mark) for mark in overlay.marks)


def _is_plain(scene: Scene, mark: Mark) -> bool:
    """A stone in an area of its own player is written as ever."""
    return mark.kind == "area" and mark.at in scene.stones and scene.stones[mark.at] == mark.player


def _sign(scene: Scene, mark: Mark, rank: int) -> Sign:
    players = liveries(scene.player_names)
    if mark.at in scene.stones:
        livery = players[scene.stones[mark.at]]
        return Sign(livery.marked[rank], livery.paint)
    text = NOBODYS if mark.player is None else _letter(mark, players[mark.player].letter, scene)
    if mark.kind == "text":
        text = mark.text if len(mark.text) <= _WIDEST else mark.text[0]
    return Sign(text, STRONG if mark.player is None else players[mark.player].paint)


def _letter(mark: Mark, letter: str, scene: Scene) -> str:
    """Small for a place that is a player's; a cell that is marked more strongly gets the capital."""
    strong = mark.kind in ("ring", "square") and mark.at not in scene.geometry.index
    return letter if strong else letter.lower()


def _meaning(scene: Scene, mark: Mark) -> str:
    if mark.kind == "text" and mark.at not in scene.stones:
        return mark.text
    stone = scene.stones.get(mark.at, mark.player)
    return mark.text if stone is None else scene.player_names[stone]


def legend_of(title: str, meanings: Mapping[str, str]) -> str:
    """An overlay's line under the board; signs that say themselves what they mean need no word."""
    if not meanings:
        return f"{title} (none)"
    parts = [f"{sign} {meaning}".rstrip() for sign, meaning in sorted(meanings.items()) if sign != meaning]
    return f"{title} ({', '.join(parts)})" if parts else title
