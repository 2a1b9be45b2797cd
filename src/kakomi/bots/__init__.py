"""Players made of searches; their strengths are data."""

from kakomi.bots.bot import Bot, RandomBot, SearchBot
from kakomi.bots.levels import DEFAULT_LEVEL, LEVELS, RANDOM, Level, bot_names, make_bot

__all__ = [
    "DEFAULT_LEVEL",
    "LEVELS",
    "RANDOM",
    "Bot",
    "Level",
    "RandomBot",
    "SearchBot",
    "bot_names",
    "make_bot",
]
