"""Colours of the board and its marks, light and dark, as a style sheet."""

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from kakomi.draw.livery import Livery

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
    # What is inside <use> can't be selected from here: it inherits.
    ".stones": "color:{rim}",
    ".lasts": "fill:none;stroke:{accent};stroke-width:3;color:{halo}",
    ".target": "fill:#000;fill-opacity:0",
    ".mark": "stroke-width:1.4;stroke-linejoin:round;paint-order:stroke",
    ".written": "font-weight:bold",
    ".plain": "fill:{label};stroke:{halo}",
    ".written.plain": "stroke:none",
    ".tint": "fill:{label};fill-opacity:.3",
}


def stylesheet(theme: str, material: str, prefix: str, players: tuple[Livery, ...]) -> str:
    """The drawing's style, for elements inside the one with the id `prefix` only.

    Raises ValueError for an unknown theme.
    """
    if theme not in get_args(Theme):
        raise ValueError(f"there is no theme {theme!r}; there are: {', '.join(get_args(Theme))}")
    rules = {**_RULES, **_player_rules(players)}
    sheet = "\n".join(_filled(rules, _PALETTES[material, "dark" if theme == "dark" else "light"], prefix))
    if theme != "auto":
        return sheet
    themed = {selector: rule for selector, rule in rules.items() if "{" in rule}
    dark = "\n".join(_filled(themed, _PALETTES[material, "dark"], prefix))
    return f"{sheet}\n@media (prefers-color-scheme:dark){{\n{dark}\n}}"


def _filled(rules: Mapping[str, str], palette: _Palette, prefix: str) -> Iterator[str]:
    for selector, rule in rules.items():
        yield f"#{prefix} {selector}{{{rule.format(**palette)}}}"


def _player_rules(players: tuple[Livery, ...]) -> dict[str, str]:
    """`tint` colours a place, `on` marks a player's own stone, `of` speaks of a player elsewhere."""
    rules = {}
    for player, livery in enumerate(players):
        rules[f".tint-{player}"] = f"fill:{livery.body};fill-opacity:{livery.tint}"
        rules[f".on-{player}"] = f"fill:{livery.ink}"
        rules[f".of-{player}"] = f"fill:{livery.body};stroke:{livery.ink}"
    return rules
