"""Environments for reinforcement learning.

>>> import kakomi, kakomi.research
>>> env = kakomi.research.VectorEnv(kakomi.game("rin", size=8), 1024, seed=1)
>>> shown = env.reset()
>>> while not shown.done.any():
...     shown = env.step(env.sample())
"""

from kakomi.research.autoreset import Autoreset
from kakomi.research.buffers import Buffers
from kakomi.research.images import Image, images
from kakomi.research.vector import VectorEnv
from kakomi.research.view import View, view_of

__all__ = ["Autoreset", "Buffers", "Image", "VectorEnv", "View", "images", "view_of"]
