"""Measured figures in the folders of games, where the site reads them (`kakomi.core.known_results`)."""

import json
from dataclasses import asdict

from kakomi.core import Description
from kakomi.core.known_results import BlunderFigures, OpeningFigures, ReportFigures


def write_facts(
    description: Description, name: str, figures: ReportFigures | BlunderFigures | OpeningFigures
) -> None:
    """Put figures into a file of a game's folder, as text that can be compared line by line."""
    rules = description.file("rules.md")
    if rules is None:
        raise ValueError(f"{description.name} has no folder that can be written to")
    text = json.dumps(asdict(figures), indent=1) + "\n"
    rules.with_name(name).write_text(text, encoding="utf-8")
