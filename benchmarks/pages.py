"""Replacing measured tables in pages of the documentation, between two comments that name them."""

from collections.abc import Sequence
from pathlib import Path


def replace_part(page: Path, name: str, text: str) -> None:
    """Replace the text between `<!-- name -->` and `<!-- /name -->`. Raises ValueError without these."""
    before, _, after = _split(page, name)
    page.write_text(f"{before}{text}{after}", encoding="utf-8")


def replace_rows(page: Path, name: str, head: Sequence[str], rows: Sequence[str]) -> None:
    """Update a table there whose rows each begin with a game's name. Rows of other games stay."""
    _, kept, _ = _split(page, name)
    by_game = {_game(row): row for row in [*kept.splitlines()[len(head) :], *rows]}
    lines = [*head, *(by_game[game] for game in sorted(by_game))]
    replace_part(page, name, "".join(f"{line}\n" for line in lines))


def _game(row: str) -> str:
    return row.removeprefix("|").split(maxsplit=1)[0]


def _split(page: Path, name: str) -> tuple[str, str, str]:
    """Split a page into the text up to the first comment, between both comments, and from the second on."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    before, found_begin, rest = page.read_text(encoding="utf-8").partition(begin)
    text, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"{page} has no place for {name}: it needs the lines {begin!r} and {end!r}")
    return before + begin, text, end + after
