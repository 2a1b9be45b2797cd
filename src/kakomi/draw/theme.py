"""The colours of boards and marks, light and dark, as style sheets."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Literal, get_args

from kakomi.draw.looks import look_rules
from kakomi.draw.player_style import PLAYER_STYLES, PlayerStyle

Theme = Literal["light", "dark", "auto"]

_Palette = Mapping[str, str]
_PALETTES: Mapping[tuple[str, str], _Palette] = {
    ("wood", "light"): {
        "high": "#f0cf96",
        "low": "#dcae6b",
        "edge": "#a8783d",
        "grain": "#8a5721",
        "cell": "#f7dfb3",
        "line": "#5b3d1c",
        "label": "#5b3d1c",
        "rim": "#2b1d0d",
        "accent": "#b3125f",
        "halo": "#fff7e8",
    },
    ("wood", "dark"): {
        "high": "#8d6a44",
        "low": "#6d4e30",
        "edge": "#3b2917",
        "grain": "#2e1c0b",
        "cell": "#a17c52",
        "line": "#291a0b",
        "label": "#f0dfc3",
        "rim": "#120b04",
        "accent": "#ff7ab8",
        "halo": "#2a0a1a",
    },
    ("paper", "light"): {
        "high": "#f6edd9",
        "low": "#e9dcbe",
        "edge": "#bfae86",
        "grain": "#a5946b",
        "cell": "#fbf5e6",
        "line": "#75684c",
        "label": "#55492f",
        "rim": "#443c2d",
        "accent": "#b3125f",
        "halo": "#fffdf7",
    },
    ("paper", "dark"): {
        "high": "#474b53",
        "low": "#3b3f46",
        "edge": "#1b1d20",
        "grain": "#14161a",
        "cell": "#50555e",
        "line": "#9a9fa8",
        "label": "#cfd2d8",
        "rim": "#a9aeb8",
        "accent": "#ff7ab8",
        "halo": "#2a0a1a",
    },
}

_RULES: Mapping[str, str] = {
    ".high": "stop-color:{high}",
    ".low": "stop-color:{low}",
    ".panel": "stroke:{edge};stroke-width:2",
    ".grain": "fill:none;stroke:{grain};stroke-opacity:.13;stroke-linecap:round",
    ".cells": "fill:{cell};fill-opacity:.45",
    ".lines": "fill:none;stroke:{line};stroke-width:1.3;stroke-linejoin:round",
    ".frame": "fill:none;stroke:{line};stroke-width:2.4;stroke-linejoin:miter",
    ".circle": "fill:none;stroke:{line};stroke-width:1.6",
    ".arcs": "fill:none;stroke:{line};stroke-width:1.6;stroke-opacity:.6",
    ".marker": "fill:{line}",
    ".label": "fill:{label};font-size:15px",
    "text": "font-family:Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif;text-anchor:middle",
    # Selectors don't reach the content of <use>, which inherits these properties.
    ".stones": "color:{rim}",
    ".lasts": "fill:none;stroke:{accent};stroke-width:3;color:{halo}",
    ".drafts": "fill:none;stroke:{accent};color:{halo}",
    ".going": "fill:{accent};stroke:{halo};stroke-width:1.4;paint-order:stroke",
    ".target": "fill:#000;fill-opacity:0",
    ".mark": "stroke-width:1.4;stroke-linejoin:round;paint-order:stroke",
    ".written": "font-weight:bold",
    ".plain": "fill:{label};stroke:{halo}",
    ".written.plain": "stroke:none",
    ".tint": "fill:{label};fill-opacity:.3",
    ".heat": "fill:{accent}",
    ".number": "font-weight:bold",
    ".number.plain": "stroke-width:3;stroke-linejoin:round;paint-order:stroke",
    ".hint": "fill:{halo};stroke:{accent};stroke-width:1.6",
    ".hint.best": "fill:{accent};stroke:{halo};stroke-width:2.4",
    ".opinion": "fill:{accent};font-weight:bold",
    ".opinion.best": "fill:{halo}",
}
_ON_PAGES: Mapping[str, str] = {
    # At most 16 pixels on the screen: 1em is the board's shorter side, and atan2 divides lengths.
    ".label": "font-size:min(15px,calc(1em*tan(atan2(16px,var(--board-shown,30rem)))))",
    ".target": "outline:none",
    ".target[data-action]": "cursor:pointer;touch-action:manipulation",
    ".playable": "display:none",
    ".target:focus-visible": "stroke:{accent};stroke-width:4;stroke-linejoin:round",
}
"""The rules that only interactive drawings need."""
_TONES = ("shine", "body", "shade")
"""The tones of a stone, from the lit side on."""


def checked(theme: str) -> str:
    """Return the theme. Raises ValueError if it is unknown."""
    if theme not in get_args(Theme):
        raise ValueError(f"there is no theme {theme!r}; there are: {', '.join(get_args(Theme))}")
    return theme


@lru_cache(maxsize=64)
def stylesheet(theme: str, material: str, prefix: str, players: tuple[PlayerStyle, ...]) -> str:
    """Return a drawing's own style element, which only applies within the element with the id `prefix`."""
    rules = {**_RULES, **_player_rules(players)}
    sheet = _filled(rules, _PALETTES[material, "dark" if theme == "dark" else "light"], f"#{prefix}")
    if theme == "auto":
        themed = {selector: rule for selector, rule in rules.items() if "{" in rule}
        dark = _filled(themed, _PALETTES[material, "dark"], f"#{prefix}")
        sheet = [*sheet, "@media (prefers-color-scheme:dark){", *dark, "}"]
    return f"<style>{_joined(sheet)}</style>"


@cache
def page_stylesheet() -> str:
    """Return the style sheet for all unstyled drawings on a page, with all materials and players.

    Boards are light or dark by the viewer's preference, or by `data-theme` on the page's root element. Their
    colours are custom properties such as `--board-accent` on elements with the classes `board-wood` and
    `board-paper`. Playable points react to the pointer where a script copies their layer's `data-for` to
    them; they have dots if an element round the board has the attribute `data-legal`. `looks` defines the
    other choices of a viewer.
    """
    rules = {**_RULES, **_player_rules(PLAYER_STYLES)}
    own = {colour: f"var(--board-{colour})" for colour in _PALETTES["wood", "light"]}
    sheet = [
        *_properties("", "light"),
        "@media (prefers-color-scheme:dark){",
        *_properties(":root:not([data-theme=light]) ", "dark"),
        "}",
        *_properties(":root[data-theme=dark] ", "dark"),
        *_stone_properties(),
        *_filled(rules, own, ".board"),
        *_filled(_ON_PAGES, own, ".board"),
        "[data-legal] .board .playable{display:inline}",
        *(
            f".board .target[data-for={style.name}][data-action]:hover{{fill:{style.body};fill-opacity:.5}}"
            for style in PLAYER_STYLES
        ),
        *look_rules(),
    ]
    return _joined(sheet) + "\n"


def _properties(where: str, theme: str) -> Iterator[str]:
    """Yield each material's colours as custom properties."""
    for (material, of_theme), palette in _PALETTES.items():
        if of_theme == theme:
            colours = ";".join(f"--board-{name}:{colour}" for name, colour in palette.items())
            yield f"{where}.board-{material}{{{colours}}}"


def _stone_properties() -> Iterator[str]:
    """Yield the tones of every player's stones as custom properties of classes such as `stone-black`."""
    for style in PLAYER_STYLES:
        tones = ";".join(f"--{tone}:{getattr(style, tone)}" for tone in _TONES)
        yield f".stone-{style.name}{{{tones}}}"
    yield from (f".board .{tone}{{stop-color:var(--{tone})}}" for tone in _TONES)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _filled(rules: Mapping[str, str], palette: _Palette, root: str) -> list[str]:
    return [f"{root} {selector}{{{rule.format(**palette)}}}" for selector, rule in rules.items()]


def _player_rules(players: tuple[PlayerStyle, ...]) -> dict[str, str]:
    """Return rules for players: `tint` and `heat` for places, `on` for marks on their stones, else `of`."""
    rules = {}
    for style in players:
        rules[f".tint-{style.name}"] = f"fill:{style.body};fill-opacity:{style.tint}"
        rules[f".heat-{style.name}"] = f"fill:{style.body}"
        rules[f".on-{style.name}"] = f"fill:{style.ink}"
        rules[f".of-{style.name}"] = f"fill:{style.body};stroke:{style.ink}"
    return rules
