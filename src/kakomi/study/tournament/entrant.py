"""Players by name: our bots, and programs that speak a protocol."""

import shlex
import shutil
import threading
from functools import cache

from kakomi.bots import Bot, make_bot
from kakomi.core import Game

COMMAND = "cmd:"
PATIENCE_SECONDS = 60.0
"""How long an external program may think about an action, unless it is said otherwise."""


def check_entrant(spec: str) -> None:
    """Raises ValueError, saying what would be right, for what can't be entered."""
    if not spec.startswith(COMMAND):
        make_bot(spec)
        return
    try:
        command = _command(spec)
    except ValueError as error:
        raise ValueError(f"{spec}: {error}") from None
    if not command:
        raise ValueError(f"{spec!r} names no program: write {COMMAND}PROGRAM ARGS")
    if shutil.which(command[0]) is None:
        raise ValueError(f"{spec}: there is no program {command[0]!r} that could be run")


def make_entrant(spec: str, *, seed: int, patience: float = PATIENCE_SECONDS) -> Bot:
    """A player for one game. Raises ValueError for an unknown bot, EngineFailed for a program that
    doesn't start."""
    if not spec.startswith(COMMAND):
        return make_bot(spec, seed=seed)
    from kakomi.protocol import EngineBot

    engine: Bot = EngineBot(_command(spec), name=spec, seed=seed, patience=patience)
    return engine


@cache
def warm(spec: str, game: Game) -> None:
    """Compile, or load, all that a bot of ours needs for a game, so that no game's clock sees it."""
    if spec.startswith(COMMAND):
        return
    at_once = threading.Event()
    at_once.set()
    bot = make_bot(spec)
    position = game.start()
    position = position.play_action(bot.choose(position, stop=at_once))
    position.scores()


def _command(spec: str) -> list[str]:
    return shlex.split(spec.removeprefix(COMMAND))
