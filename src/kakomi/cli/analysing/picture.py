"""Pictures of an analysis as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kakomi.draw.pixels import png

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.records import Record
    from kakomi.study.analysis import Analysis

FORMS = (".svg", ".png")
_ZOOM = 2
"""Pixels of a PNG for each unit of the drawing."""


def check_picture(path: str) -> None:
    """Raises ClickException if a picture can't be drawn in the format that the file's name tells."""
    form = Path(path).suffix.lower()
    if form not in FORMS:
        raise click.UsageError(f"--plot {path}: the file's name ends in .svg or .png")
    if form == ".png":
        try:
            png("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
        except ImportError:
            raise click.ClickException(
                f"{path}: a PNG needs more (pip install 'kakomi[images]'); an SVG needs nothing"
            ) from None


def draw_picture(path: str, analysis: "Analysis", record: "Record", theme: str) -> None:
    """Write the picture to a file, whole or not at all. Raises OSError."""
    from kakomi.core.system import replace_file
    from kakomi.study.analysis import draw_chances

    is_png = Path(path).suffix.lower() == ".png"
    shown = "light" if is_png and theme == "auto" else theme  # a PNG can't follow its viewer
    drawn = draw_chances(analysis, _title(record, analysis.game), _seated(record, analysis.game), shown)
    replace_file(path, png(drawn, zoom=_ZOOM) if is_png else drawn.encode())


def _title(record: "Record", game: "Game") -> str:
    from kakomi.cli.shared.games import game_line

    return " · ".join(part for part in (game_line(game), record.event, record.date) if part)


def _seated(record: "Record", game: "Game") -> list[str]:
    people = [seat.name or seat.bot for seat in record.seats] or [""] * game.players
    return [f"{name}: {who}" if who else name for name, who in zip(game.player_names, people, strict=True)]
