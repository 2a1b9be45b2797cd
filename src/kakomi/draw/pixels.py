"""Drawings as pixels: PNG images and animated GIFs."""

import io
from collections.abc import Iterable, Sequence
from typing import TypeVar

PICTURE_WIDTH = 1_000
"""The width in pixels of an image of a board."""
MOST_FRAMES = 200
"""The maximum number of frames; a longer game shows every second or third position."""
_FRAME_WIDTH = 400
_FRAME_MS, _LAST_MS = 700, 4_000
_COLOURS = 96

Moment = TypeVar("Moment")


def png(drawing: str, *, width: int | None = None, zoom: int | None = None) -> bytes:
    """Render an SVG document as PNG, `width` pixels wide or with `zoom` pixels per unit.

    Text uses a bundled font, because a machine may have none. Raises ImportError without resvg-py and
    font-source-serif-pro.
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
    """Return the moments that an animation shows: at most `most`, evenly spaced, including the last."""
    step = -(-len(moments) // most)
    return list(reversed(moments[::-1][::step]))


def gif(drawings: Iterable[str]) -> bytes:
    """Render SVG documents as an animation that loops and shows the last frame longer.

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
