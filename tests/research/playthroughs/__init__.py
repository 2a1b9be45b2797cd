"""OpenSpiel's records of whole games, one of each: `python -m tests.research.playthroughs` writes them."""

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
    """Where the playthrough of a game is kept."""
    return FOLDER / f"{loaded.partition('(')[0]}.txt"


def begun_anew(loaded: str) -> str:
    """A playthrough of random actions."""
    return str(generate_playthrough.playthrough(loaded, [], seed=1))


def replayed(loaded: str) -> str:
    """The playthrough that the kept one's actions lead to now."""
    return str(generate_playthrough.replay(path_of(loaded))[1])
