"""The line that a person sees while a match goes on."""

import threading
import time
from typing import TYPE_CHECKING, Self

from kakomi.cli.shared.status import Tell

if TYPE_CHECKING:
    from kakomi.cli.matching.contest import Contest

TICK_SECONDS = 1.0


class Progress:
    """Shows how a contest stands, every second: a game may take minutes. For a `with` block."""

    def __init__(self, contest: "Contest", tell: Tell, kept: int) -> None:
        self._contest = contest
        self._tell = tell
        self._kept = kept
        """Games that were finished in an earlier run, which say nothing about how long one takes."""
        self._part = 0.0
        self._words = ""
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        self.count()
        self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._ticker.join()

    def count(self) -> None:
        """Look at the contest again: a game is finished."""
        contest = self._contest
        total = len(contest.pairings)
        self._part = contest.finished / total
        self._words = " · ".join([f"{contest.finished}/{total}", *_standing(contest), *self._time_left()])

    def _tick(self) -> None:
        while not self._ended.wait(TICK_SECONDS):
            self._tell(self._part, self._words)

    def _time_left(self) -> list[str]:
        contest = self._contest
        played = contest.finished - self._kept
        if played <= 0:
            return []
        each = (time.monotonic() - self._started) / played
        minutes, seconds = divmod(round(each * (len(contest.pairings) - contest.finished)), 60)
        hours, minutes = divmod(minutes, 60)
        return [f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left"]


def _standing(contest: "Contest") -> list[str]:
    """Wins, draws and losses, score, Elo difference and the sequential test, of two entrants."""
    if len(contest.entrants) != 2:
        return []
    one, other = contest.entrants
    tally = contest.statistics.tally(one, other)
    words = [f"+{tally.wins} ={tally.draws} -{tally.losses}"]
    if estimate := contest.statistics.estimate(one, other):
        words.append(f"{estimate.score:.1%}")
        words.append(f"Elo {estimate.elo:+.0f} ({estimate.elo_low:+.0f} to {estimate.elo_high:+.0f})")
    if contest.sprt:
        words.append(f"LLR {contest.test()[0]:+.2f}")
    return words
