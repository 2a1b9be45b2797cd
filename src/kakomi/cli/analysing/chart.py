"""Win chances over a game, drawn with characters in the terminal and as a picture in a file."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.output import has_blocks, has_colours
from kakomi.draw.pixels import png

if TYPE_CHECKING:
    from kakomi.core import Game
    from kakomi.records import Record
    from kakomi.study.analysis import Analysis

NARROWEST, WIDEST = 40, 100
HEIGHT = 11
_FRAME = 9
"""Columns beside the plot: its frame and the numbers on its scale."""
_TERMINAL_COLOURS = {"1": "white", "31": "red", "94": "blue", "33": "yellow", "32": "green"}
FORMS = (".svg", ".png")
_ZOOM = 2
"""Pixels of a PNG for each unit of the drawing."""
HINT = "No plot: it needs uniplot (pip install 'kakomi[plots]')."


def print_plot(analysis: "Analysis") -> None:
    """Plot the chances over the turns, or say what is missing to do it."""
    try:
        from uniplot import plot_to_string
    except ImportError:
        click.echo(HINT, err=True)
        return
    drawn = plot_to_string(**_series(analysis), **_style(analysis))
    for line in drawn.rstrip("\n").split("\n"):
        click.echo(line.rstrip())


def _series(analysis: "Analysis") -> dict[str, Any]:
    """With two players the first one's chances, else everybody's."""
    names = analysis.game.player_names
    shown = range(1 if len(names) == 2 else len(names))
    moments = [moment for moment, _ in analysis.reports]
    chances = [[100 * report.chances[p] for _, report in analysis.reports] for p in shown]
    title = f"{names[0]}'s win chance (%) by turn" if len(names) == 2 else "Win chances (%) by turn"
    labels = {} if len(names) == 2 else {"legend_labels": list(names)}
    return {"xs": [moments for _ in shown], "ys": chances, "title": title, **labels}


def _style(analysis: "Analysis") -> dict[str, Any]:
    from kakomi.draw.player_style import player_styles

    players = player_styles(analysis.game.player_names)
    colours = [_TERMINAL_COLOURS[style.hue] for style in players]
    letters = [style.letter for style in players]
    moments = [moment for moment, _ in analysis.reports]
    in_letters = len(players) > 2 or not has_blocks()
    return {
        "lines": True,
        "color": colours if has_colours() and len(players) > 2 else False,
        "character_set": "ascii" if in_letters else "block",
        "force_ascii_characters": letters,
        "width": _width(),
        "height": HEIGHT,
        "y_min": 0,
        "y_max": 100,
        "x_min": moments[0],
        "x_max": moments[-1],
        "y_gridlines": [50] if len(players) == 2 else [],
        "x_gridlines": [],
    }


def _width() -> int:
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns)) - _FRAME


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
    from kakomi.cli.shared.parameters import game_line

    return " · ".join(part for part in (game_line(game), record.event, record.date) if part)


def _seated(record: "Record", game: "Game") -> list[str]:
    people = [seat.name or seat.bot for seat in record.seats] or [""] * game.players
    return [f"{name}: {who}" if who else name for name, who in zip(game.player_names, people, strict=True)]
