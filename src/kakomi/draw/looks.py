"""Alternative looks of the boards on pages, as CSS rules: themes, stones, contrast, larger marks.

A page selects looks by the words in `data-look` on its root element.
"""

from collections.abc import Iterator, Mapping

from kakomi.draw.player_style import PLAYER_STYLES

Palette = Mapping[str, str]

_THEMES: Mapping[str, tuple[Palette, Palette]] = {
    "slate": (
        {
            "high": "#dfe5ea",
            "low": "#c3cdd6",
            "edge": "#8796a3",
            "grain": "#6d7d8b",
            "cell": "#eef2f5",
            "line": "#44525e",
            "label": "#33404b",
            "rim": "#1f272e",
        },
        {
            "high": "#4a5965",
            "low": "#3a4853",
            "edge": "#1a2228",
            "grain": "#141a1f",
            "cell": "#55656f",
            "line": "#a9b6c1",
            "label": "#dbe3ea",
            "rim": "#a9b6c1",
        },
    ),
    "sage": (
        {
            "high": "#dfe8d3",
            "low": "#c4d3b2",
            "edge": "#86996f",
            "grain": "#6c7f56",
            "cell": "#ecf2e3",
            "line": "#43523a",
            "label": "#35432c",
            "rim": "#20291a",
        },
        {
            "high": "#48583f",
            "low": "#3a4833",
            "edge": "#1a2216",
            "grain": "#141a11",
            "cell": "#56674b",
            "line": "#aab99d",
            "label": "#dfe8d5",
            "rim": "#aab99d",
        },
    ),
}
"""Theme name -> light and dark colours. Themes keep the accents of the default boards."""
_CONTRAST: tuple[Palette, Palette] = (
    {
        "high": "#ffffff",
        "low": "#ffffff",
        "edge": "#000000",
        "grain": "#ffffff",
        "cell": "#ffffff",
        "line": "#000000",
        "label": "#000000",
        "rim": "#000000",
        "accent": "#a3004f",
        "halo": "#ffffff",
    },
    {
        "high": "#3d3d3d",
        "low": "#3d3d3d",
        "edge": "#ffffff",
        "grain": "#3d3d3d",
        "cell": "#3d3d3d",
        "line": "#ffffff",
        "label": "#ffffff",
        "rim": "#ffffff",
        "accent": "#ffb3d8",
        "halo": "#000000",
    },
)
_CONTRAST_RULES: Mapping[str, str] = {
    ".lines,.circle,.arcs": "stroke-width:2;stroke-opacity:1",
    ".frame": "stroke-width:3.4",
    ".stones": "stroke-width:2",
    ".lasts,.drafts": "stroke-width:4.5",
}
_LARGE_RULES: Mapping[str, str] = {
    ":is(.marks,.playable) .mark,.choices .mark": "transform-box:fill-box;transform-origin:center;scale:1.4",
    ":is(.written,.number)": "transform-box:fill-box;transform-origin:center;scale:1.25",
    ".lasts": "stroke-width:5",
    ".label": "font-size:min(19px,calc(1.25em*tan(atan2(16px,var(--board-shown,30rem)))))",
}


def look_rules() -> Iterator[str]:
    """Yield the rules of all looks; they must follow the default rules."""
    for name, (light, dark) in _THEMES.items():
        yield from _themed(f"[data-look~={name}]", light, dark)
    for style in PLAYER_STYLES:
        yield f":root[data-look~=flat] .stone-{style.name}{{{_tones('var(--body)', 'var(--body)')}}}"
        paler, deeper = (f"color-mix(in srgb,{style.body} 65%,{tone})" for tone in (style.shine, style.shade))
        yield f":root[data-look~=matte] .stone-{style.name}{{{_tones(paler, deeper)}}}"
    yield ":root[data-look~=bare] .board .label{display:none}"
    yield from _at(":root[data-look~=large]", _LARGE_RULES)
    yield from _themed("[data-look~=contrast]", *_CONTRAST)
    yield from _at(":root[data-look~=contrast]", _CONTRAST_RULES)
    yield "@media (prefers-contrast:more){"
    yield from _themed("[data-look]", *_CONTRAST)
    yield from _at(":root[data-look]", _CONTRAST_RULES)
    yield "}"


def _themed(look: str, light: Palette, dark: Palette) -> Iterator[str]:
    """Yield light colours, and dark ones for a system preference or the page's own setting."""
    yield f":root{look} .board{{{_properties(light)}}}"
    yield "@media (prefers-color-scheme:dark){"
    yield f":root{look}:not([data-theme=light]) .board{{{_properties(dark)}}}"
    yield "}"
    yield f":root{look}[data-theme=dark] .board{{{_properties(dark)}}}"


def _properties(palette: Palette) -> str:
    return ";".join(f"--board-{name}:{colour}" for name, colour in palette.items())


def _tones(shine: str, shade: str) -> str:
    return f"--shine:{shine};--shade:{shade}"


def _at(root: str, rules: Mapping[str, str]) -> Iterator[str]:
    for selectors, rule in rules.items():
        yield f"{root} .board :is({selectors}){{{rule}}}"
