"""Drawings as pixels: pictures and films."""

import io
from collections.abc import Iterable, Sequence
from typing import TypeVar

PICTURE_WIDTH = 1_000
"""Pixels of a picture of a board."""
MOST_FRAMES = 200
"""A longer film shows every second drawing, or every third."""
_FRAME_WIDTH = 400
_FRAME_MS, _LAST_MS = 700, 4_000
_COLOURS = 96

Moment = TypeVar("Moment")


def png(drawing: str, *, width: int | None = None, zoom: int | None = None) -> bytes:
    """An SVG document as PNG, so many pixels wide or so many for each of its units.

    Letters are of a font that comes along: a renderer takes any that it finds on the machine, and there
    may be none. Raises ImportError without resvg-py and font-source-serif-pro.
    """
    from font_source_serif_pro import SourceSerifPro  # type: ignore[import-untyped]
    from resvg_py import svg_to_bytes

    drawn = svg_to_bytes(
        svg_string=drawing,
        width=width,
        zoom=zoom,
        font_files=[SourceSerifPro],
        serif_family="Source Serif Pro",
        skip_system_fonts=True,
    )
    return bytes(drawn)


def frames_of(moments: Sequence[Moment], most: int = MOST_FRAMES) -> list[Moment]:
    """The moments that a film shows: so many at most, evenly spread, with the last."""
    step = -(-len(moments) // most)
    return list(reversed(moments[::-1][::step]))


def gif(drawings: Iterable[str]) -> bytes:
    """SVG documents as a film, which starts again after its last picture; that one stays longer.

    Raises ImportError without resvg-py, font-source-serif-pro and pillow.
    """
    from PIL import Image

    frames = [Image.open(io.BytesIO(png(drawing, width=_FRAME_WIDTH))).convert("RGB") for drawing in drawings]
    palette = frames[-1].quantize(_COLOURS)  # all stones are on the last board
    first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    times = [_FRAME_MS] * (len(frames) - 1) + [_LAST_MS]
    first.save(out, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=False)
    return out.getvalue()
