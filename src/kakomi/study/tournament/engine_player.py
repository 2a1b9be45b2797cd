"""A player at the board: thinks on a clock, and forfeits by failing."""

import time

from kakomi.bots import Bot
from kakomi.core import IllegalAction, Position
from kakomi.protocol import EngineError
from kakomi.search import Report
from kakomi.study.tournament.played import Effort


class Forfeit(Exception):  # noqa: N818 (what a player does, not an error of ours)
    """A player can't go on."""

    def __init__(self, player: int, reason: str) -> None:
        super().__init__(reason)
        self.player = player
        self.reason = reason


class EnginePlayer:
    """A bot as one player of one game, with what its thinking has taken so far."""

    def __init__(self, player: int, bot: Bot) -> None:
        self._player = player
        self._bot = bot
        self._actions = 0
        self._seconds = 0.0
        self._simulations: list[int] = []
        self._report: Report | None = None

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
        if report is not None and report is not self._report:
            self._report = report
            self._simulations.append(report.simulations)

    @property
    def effort(self) -> Effort:
        """What an action took on average."""
        searched = len(self._simulations)
        return Effort(
            actions=self._actions,
            seconds=round(self._seconds / max(1, self._actions), 6),
            simulations=round(sum(self._simulations) / searched, 1) if searched else None,
        )
