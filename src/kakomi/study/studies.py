"""All kinds of study, and the sections that stored studies add to a game's report."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kakomi.core import Game
from kakomi.core.system import state_folder
from kakomi.study.blunders import BlunderStudy
from kakomi.study.exercises import ExerciseStudy
from kakomi.study.komi import KomiStudy
from kakomi.study.openings import OpeningStudy
from kakomi.study.puzzle_finder import PuzzleStudy
from kakomi.study.report.content import Section
from kakomi.study.seats import SeatStudy
from kakomi.study.trials import Study, kept_studies

STUDIES: tuple[type[Study[Any]], ...] = (
    OpeningStudy,
    SeatStudy,
    BlunderStudy,
    KomiStudy,
    ExerciseStudy,
    PuzzleStudy,
)


def default_folder() -> Path:
    """The default folder for studies."""
    return state_folder() / "studies"


def kept_chapters(folder: Path, game: Game) -> Iterator[Section]:
    """The report sections of a folder's studies of a game with its options."""
    for study in kept_studies(folder, game, STUDIES):
        with contextlib.suppress(ValueError):  # too few trials
            yield study.chapter()
