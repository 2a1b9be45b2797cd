"""Games and positions as people and programs use them."""

from kakomi.core.action import Action, IllegalAction
from kakomi.core.description import Description
from kakomi.core.game import Game
from kakomi.core.option import Option
from kakomi.core.position import Position

__all__ = ["Action", "Description", "Game", "IllegalAction", "Option", "Position"]
