"""Players by name, our bots and programs that speak a protocol, and one of them at the board."""

import contextlib
import shlex
import shutil
import threading
import time
from functools import cache
from typing import Protocol

from kakomi.bots import Bot, make_bot
from kakomi.core import Game, IllegalAction, Position
from kakomi.protocol import EngineError
from kakomi.search import Report
from kakomi.study.tournament.exceptions import Forfeit
from kakomi.study.tournament.played import Effort

COMMAND = "cmd:"
DIGITS = 4
"""Of chances in the file of a match."""
PATIENCE_SECONDS = 60.0
"""Seconds that an external program may think about an action, by default."""


class Maker(Protocol):
    """What makes a player for one game by its name. It travels to workers, so it can be pickled."""

    def __call__(self, spec: str, *, seed: int, patience: float) -> Bot: ...

    def __hash__(self) -> int: ...


def check_entrant(spec: str, game: Game) -> None:
    """Raises ValueError, saying what would be right, for an entrant that is unknown or can't play a game."""
    if not spec.startswith(COMMAND):
        make_bot(spec).check(game)
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
    """A player for one game. Raises ValueError for an unknown bot, EngineError for a program that
    doesn't start."""
    if not spec.startswith(COMMAND):
        return make_bot(spec, seed=seed)
    from kakomi.protocol import EngineBot

    engine: Bot = EngineBot(_command(spec), name=spec, seed=seed, patience=patience)
    return engine


@cache
def warm(spec: str, game: Game, make: Maker = make_entrant) -> None:
    """Compile, or load, all that a bot of ours needs for a game, so that no game's clock sees it."""
    if spec.startswith(COMMAND):
        return
    at_once = threading.Event()
    at_once.set()
    bot = make(spec, seed=0, patience=PATIENCE_SECONDS)
    position = game.start()
    with contextlib.suppress(EngineError, IllegalAction):  # in a game it forfeits; here nothing is lost
        position = position.play_action(bot.choose(position, stop=at_once))
    position.scores()


def _command(spec: str) -> list[str]:
    return shlex.split(spec.removeprefix(COMMAND))


class EnginePlayer:
    """A bot as one player of one game, with what its thinking has taken so far."""

    def __init__(self, player: int, bot: Bot) -> None:
        self._player = player
        self._bot = bot
        self._actions = 0
        self._seconds = 0.0
        self._simulations: list[int] = []
        self._report: Report | None = None
        self.expected: tuple[float, ...] | None = None
        """The players' chances as the search of the last action saw them; None if it searched nothing."""

    def act(self, position: Position) -> Position:
        """The position after what the bot chose. Raises Forfeit if it fails or that isn't legal."""
        try:
            return position.play_action(self._timed_choice(position))
        except EngineError as error:
            raise Forfeit(self._player, error.reason) from None
        except IllegalAction as error:
            raise Forfeit(self._player, str(error)) from None

    def _timed_choice(self, position: Position) -> int:
        started = time.perf_counter()
        action = self._bot.choose(position)
        self._seconds += time.perf_counter() - started
        self._actions += 1
        self._count_simulations()
        return action

    def _count_simulations(self) -> None:
        """Bots that search keep their last report; it stays the same when there was nothing to search."""
        report: Report | None = getattr(self._bot, "last_report", None)
        self.expected = None
        if report is not None and report is not self._report:
            self._report = report
            self._simulations.append(report.simulations)
            self.expected = tuple(round(chance, DIGITS) for chance in report.lines[0].chances)

    @property
    def effort(self) -> Effort:
        """The average effort of an action."""
        searched = len(self._simulations)
        return Effort(
            actions=self._actions,
            seconds=round(self._seconds / max(1, self._actions), 6),
            simulations=round(sum(self._simulations) / searched, 1) if searched else None,
        )
