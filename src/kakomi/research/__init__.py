"""Environments for reinforcement learning.

>>> import kakomi, kakomi.research
>>> env = kakomi.research.VectorEnv(kakomi.game("rive", size=3), 1024, seed=1)
>>> seen = env.reset()
>>> while not seen.done.any():
...     seen = env.step(env.sample())

With the extra `research`, importing this module registers `kakomi/Rin-v0` and the others for Gymnasium and
`kakomi_rin` and the others for OpenSpiel; `pettingzoo_env` makes PettingZoo environments.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kakomi.core.position import rotate_players
from kakomi.research.buffers import Buffers
from kakomi.research.certify import certify
from kakomi.research.modes import Autoreset, Illegal
from kakomi.research.observation import Image, ObservationSpec, images, observation_spec, observe
from kakomi.research.vector import VectorEnv

if TYPE_CHECKING:
    from kakomi.research.pettingzoo import pettingzoo_env

__all__ = [
    "Autoreset",
    "Buffers",
    "Illegal",
    "Image",
    "ObservationSpec",
    "VectorEnv",
    "View",
    "certify",
    "images",
    "look",
    "observation_spec",
    "observe",
    "pettingzoo_env",
    "rotate_players",
    "view_of",
]

View, view_of, look = ObservationSpec, observation_spec, observe
"""Former names, kept for compatibility."""


def __getattr__(name: str) -> Any:
    """Load PettingZoo on first use. Raises ImportError without the extra `research`."""
    if name != "pettingzoo_env":
        raise AttributeError(f"module 'kakomi.research' has no attribute {name!r}")
    from kakomi.research.pettingzoo import pettingzoo_env

    return pettingzoo_env


def _register() -> None:
    """Register the games with Gymnasium and OpenSpiel, if installed."""
    for module, library in (("gymnasium", "gymnasium"), ("openspiel", "pyspiel")):
        if find_spec(library):
            import_module(f"kakomi.research.{module}").register()


_register()
