"""OpenSpiel: every game by its name behind `kakomi_`, its options as parameters.

`import kakomi.research` registers `kakomi_rin` and the others for `pyspiel.load_game`.
"""

import contextlib

from kakomi import catalog
from kakomi.extras import needs_extra

with needs_extra("research"):
    import pyspiel

from kakomi.research.openspiel.game import SpielGame, game_class
from kakomi.research.openspiel.state import SpielState

__all__ = ["SpielGame", "SpielState", "register"]


def register() -> None:
    """Let OpenSpiel load every game that can be loaded: `kakomi_rin` and so on."""
    for name in catalog.names():
        with contextlib.suppress(ValueError):  # somebody's module is broken: `kakomi.game` says how
            made = game_class(catalog.describe(name))
            pyspiel.register_game(made.kind, made)
