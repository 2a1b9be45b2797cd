"""The styles that distinguish players' stones: colour, engraving and letter."""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class PlayerStyle:
    """The look of one player's stones.

    The colours are distinguishable for dichromats, who see only two of the three primary colours, and every
    sign is legible on its own stone.
    """

    name: str
    shine: str
    body: str
    shade: str
    ink: str
    """The colour of text and marks on the stone."""
    tint: float
    """The opacity of the body's colour on an area."""
    engraving: str
    sign: str
    """The SVG path of the engraved sign, on a stone of radius 100."""
    letter: str
    marked: str
    """The letters of a stone marked by the first overlay and by any other."""
    paint: str
    """A stone's terminal colours, both foreground and background, to be legible on any terminal."""
    hue: str
    """The terminal colour of a letter that isn't a stone."""
    is_rim: bool = False
    """Whether the sign follows the stone's rim and leaves its middle free."""


_RING = "M0-70A70 70 0 1 1 0 70A70 70 0 1 1 0-70Z"
_TRIANGLE = "M0-46L43 29L-43 29Z"
_DIAMOND = "M0-50L36 0L0 50L-36 0Z"
_BARS = "M-40-22L40-22M-40 22L40 22"
_TRIPOD = "M0 4L0-46M0 4L42 30M0 4L-42 30"

PLAYER_STYLES = (
    PlayerStyle(
        "black", "#666b75", "#25272c", "#08090a", "#f4f1ea", 0.48, "#f4f1ea", "", "X", "#%", "1;97;40", "1"
    ),
    PlayerStyle(
        "white",
        "#ffffff",
        "#f5f2ea",
        "#c9c2b4",
        "#22242a",
        0.75,
        "#9b9280",
        _RING,
        "O",
        "@&",
        "1;30;107",
        "1",
        is_rim=True,
    ),
    PlayerStyle(
        "red",
        "#e8836a",
        "#bd321a",
        "#7c1b0b",
        "#ffffff",
        0.5,
        "#ffffff",
        _TRIANGLE,
        "A",
        "a1",
        "1;97;41",
        "31",
    ),
    PlayerStyle(
        "blue", "#6ea6e6", "#1857ab", "#0a3168", "#ffffff", 0.5, "#ffffff", _BARS, "H", "h2", "1;97;44", "94"
    ),
    PlayerStyle(
        "yellow",
        "#fff0ac",
        "#efc02c",
        "#b3880c",
        "#3d3004",
        0.6,
        "#3d3004",
        _TRIPOD,
        "Y",
        "y3",
        "1;30;103",
        "33",
    ),
    PlayerStyle(
        "green",
        "#a5e6c4",
        "#40b578",
        "#1d7a4a",
        "#052e1a",
        0.6,
        "#052e1a",
        _DIAMOND,
        "V",
        "v4",
        "1;30;102",
        "32",
    ),
)
_BY_NAME = {style.name: style for style in PLAYER_STYLES}


@cache
def player_styles(player_names: tuple[str, ...]) -> tuple[PlayerStyle, ...]:
    """Return a style for each player: the one that matches the player's name, else the first unused one.

    Raises ValueError if there are more players than styles.
    """
    if len(player_names) > len(PLAYER_STYLES):
        raise ValueError(
            f"{len(player_names)} players can't be drawn apart: at most {len(PLAYER_STYLES)} can"
        )
    named = [_BY_NAME.get(name.lower()) for name in player_names]
    left = iter([style for style in PLAYER_STYLES if style not in named])
    return tuple(style or next(left) for style in named)
