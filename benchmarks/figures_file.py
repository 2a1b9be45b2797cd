"""Write measured figures into games' folders, where the site reads them (`kakomi.core.known_results`)."""

import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from kakomi.core import Description
from kakomi.core.known_results import MEASURED, BlunderFigures, OpeningFigures, ReportFigures


def write_figures(
    description: Description, name: str, figures: ReportFigures | BlunderFigures | OpeningFigures
) -> None:
    """Write figures to a measured file of a game, as JSON. Raises ValueError if the game has no folder."""
    text = json.dumps(asdict(figures), indent=1) + "\n"
    measured_path(description, name).write_text(text, encoding="utf-8")


def measured_path(description: Description, name: str) -> Path:
    """Where a measured file of a game is written; makes the folder `measured` if it is missing.

    Raises ValueError if the game has no folder in the file system.
    """
    folder = Path(str(files(description.module)))
    if not folder.is_dir():
        raise ValueError(f"{description.name} has no folder that can be written to")
    (folder / MEASURED).mkdir(exist_ok=True)
    return folder / MEASURED / name
