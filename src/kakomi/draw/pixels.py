"""Drawings as pixels."""


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
