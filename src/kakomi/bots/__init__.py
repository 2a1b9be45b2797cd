"""Players made of searches; their strengths are data."""

from kakomi.bots.bot import Bot, RandomBot, SearchBot
from kakomi.bots.levels import DEFAULT_LEVEL, LEVELS, RANDOM, Level, make_bot

__all__ = ["DEFAULT_LEVEL", "LEVELS", "RANDOM", "Bot", "Level", "RandomBot", "SearchBot", "make_bot"]
