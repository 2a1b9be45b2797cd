"""Measured tables inside pages of the documentation, between two comments that name them."""

from pathlib import Path


def replace_part(page: Path, name: str, text: str) -> None:
    """Put a text between `<!-- name -->` and `<!-- /name -->`. Raises ValueError if they aren't there."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    before, found_begin, rest = page.read_text(encoding="utf-8").partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"{page} has no place for {name}: it needs the lines {begin!r} and {end!r}")
    page.write_text(f"{before}{begin}{text}{end}{after}", encoding="utf-8")
