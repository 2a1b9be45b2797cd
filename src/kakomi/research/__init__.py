"""Environments for reinforcement learning.

>>> import kakomi, kakomi.research
>>> env = kakomi.research.VectorEnv(kakomi.game("rin", size=8), 1024, seed=1)
>>> shown = env.reset()
>>> while not shown.done.any():
...     shown = env.step(env.sample())

With the extra `research` importing this registers `kakomi/Rin-v0` and the others for Gymnasium and
`kakomi_rin` and the others for OpenSpiel, and `pettingzoo_env` makes agents in turn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kakomi.core.symmetry import rotate_players
from kakomi.research.autoreset import Autoreset
from kakomi.research.buffers import Buffers
from kakomi.research.certify import certify
from kakomi.research.images import Image, images
from kakomi.research.look import look
from kakomi.research.vector import VectorEnv
from kakomi.research.view import View, view_of

if TYPE_CHECKING:
    from kakomi.research.pettingzoo import pettingzoo_env

__all__ = [
    "Autoreset",
    "Buffers",
    "Image",
    "VectorEnv",
    "View",
    "certify",
    "images",
    "look",
    "pettingzoo_env",
    "rotate_players",
    "view_of",
]


def __getattr__(name: str) -> Any:
    """PettingZoo is loaded when it is asked for. Raises ImportError without the extra `research`."""
    if name != "pettingzoo_env":
        raise AttributeError(f"module 'kakomi.research' has no attribute {name!r}")
    from kakomi.research.pettingzoo import pettingzoo_env

    return pettingzoo_env


def _register() -> None:
    """Tell Gymnasium and OpenSpiel, where they are installed, of the games."""
    for module, library in (("gymnasium", "gymnasium"), ("openspiel", "pyspiel")):
        try:
            import_module(f"kakomi.research.{module}").register()
        except ModuleNotFoundError as error:
            if error.name != library:
                raise


_register()
