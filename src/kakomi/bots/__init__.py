"""Bots. The settings behind each strength level are part of the game's data."""

from kakomi.bots.bot import Bot, RandomBot, SearchBot
from kakomi.bots.factory import BEGINNER, RANDOM, make_bot
from kakomi.bots.levels import DEFAULT_LEVEL, NUMBERS, LevelBot, level_number, levels_of
from kakomi.bots.spec import BotSpec, strongest_search, strongest_spec, strongest_specs

__all__ = [
    "BEGINNER",
    "DEFAULT_LEVEL",
    "NUMBERS",
    "RANDOM",
    "Bot",
    "BotSpec",
    "LevelBot",
    "RandomBot",
    "SearchBot",
    "level_number",
    "levels_of",
    "make_bot",
    "strongest_search",
    "strongest_spec",
    "strongest_specs",
]
