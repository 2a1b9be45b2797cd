"""Players made of searches; their strengths are data."""

from kakomi.bots.bot import Bot, RandomBot, SearchBot
from kakomi.bots.levels import DEFAULT_LEVEL, NUMBERS, LevelBot
from kakomi.bots.making import BEGINNER, RANDOM, make_bot
from kakomi.bots.spelling import Spelling

__all__ = [
    "BEGINNER",
    "DEFAULT_LEVEL",
    "NUMBERS",
    "RANDOM",
    "Bot",
    "LevelBot",
    "RandomBot",
    "SearchBot",
    "Spelling",
    "make_bot",
]
