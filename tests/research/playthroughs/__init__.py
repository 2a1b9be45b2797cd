"""OpenSpiel playthroughs, one of each game: `python -m tests.research.playthroughs` writes them."""

from pathlib import Path

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import kakomi.research  # noqa: F401 (registers the games)

FOLDER = Path(__file__).parent
LOADED = (
    "kakomi_lin(size=5,line=3)",
    "kakomi_ren(size=4)",
    "kakomi_rin(size=4)",
    "kakomi_rings(size=2)",
    "kakomi_rive(size=2)",
)

flags.FLAGS.mark_as_parsed()


def path_of(loaded: str) -> Path:
    """The path of a game's stored playthrough."""
    return FOLDER / f"{loaded.partition('(')[0]}.txt"


def begun_anew(loaded: str) -> str:
    """A new playthrough of random actions."""
    return str(generate_playthrough.playthrough(loaded, [], seed=1))


def replayed(loaded: str) -> str:
    """The current playthrough of the stored one's actions."""
    return str(generate_playthrough.replay(path_of(loaded))[1])
