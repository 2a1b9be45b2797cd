"""The protocols by which other programs drive our bots and we drive theirs (docs/protocol.md).

>>> from kakomi.protocol import EngineBot
>>> with EngineBot(["kakomi", "engine", "--bot", "3"]) as bot:  # doctest: +SKIP
...     bot.choose(kakomi.game("rin").start())
"""

from kakomi.protocol.engine_bot import EngineBot
from kakomi.protocol.exceptions import EngineError

__all__ = ["EngineBot", "EngineError"]
