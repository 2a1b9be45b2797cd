"""A match as the command line describes it, and its progress."""

import contextlib
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kakomi.cli.shared.output import Tell
from kakomi.core.system import state_folder
from kakomi.farm import Farm
from kakomi.study import tournament
from kakomi.study.tournament import GameLog, Pairing, Played, Sprt, Statistics

if TYPE_CHECKING:
    from kakomi.core import Game

TICK_SECONDS = 1.0


class Contest:
    """The entrants, the terms and the schedule of a match; `play` plays it.

    Raises ValueError, saying what would be right, for a match that can't be played.
    """

    def __init__(
        self,
        game: "Game",
        entrants: Sequence[str],
        games: int,
        *,
        seed: int,
        opening_plies: int | None = None,
        patience: float,
        out: Path | None = None,
        records: Path | None = None,
        sprt: Sprt | None = None,
    ) -> None:
        for entrant in entrants:
            tournament.check_entrant(entrant, game)
        if sprt and len(entrants) != 2:
            raise ValueError("--sprt compares two bots, and there are more")
        self.game = game
        self.entrants = tournament.entrant_names(entrants)
        self.sprt = sprt
        self.pairings = tournament.schedule(game, entrants, games, seed=seed, opening_plies=opening_plies)
        self.statistics = Statistics(self.pairings)
        self.kept: Path | None = None
        """The file with the games, once there is one."""
        self.finished = 0
        self._terms = self._all_terms(seed, patience)
        self._patience, self._out, self._records = patience, out, records

    def play(self, farm: Farm, tell: Tell) -> None:
        """Play what isn't played yet, to the end or until the sequential test decides."""
        if len(self.entrants) > 2:
            tournament.check_library()
        with self._game_log() as log, Progress(self, farm, tell, len(log.played)) as progress:
            self.kept = log.path
            games = tournament.play_games(self.pairings, farm, log=log, patience=self._patience)
            with contextlib.closing(games):
                for played in games:
                    self._count(played)
                    progress.count()
                    if self.sprt and self.test()[1]:
                        return

    def test(self) -> tuple[float, str | None]:
        """The log-likelihood ratio of the sequential test and its verdict, if there is one yet."""
        assert self.sprt
        one, other = self.entrants
        scores = self.statistics.leading_scores(one, other)
        return self.sprt.verdict(scores, self.statistics.games_a_block(one, other))

    @property
    def kept_in_words(self) -> str:
        """The end of a sentence that says where the games are kept and how to resume the match."""
        if self.kept is None:
            return "nothing is kept"
        return f"{self.finished} games are kept: the same command with --out {self.kept} goes on"

    def _count(self, played: Played) -> None:
        self.statistics.add(played)
        self.finished += 1
        if self._records:
            tournament.save_record(played, self._records, f"kakomi match {' '.join(self.entrants)}")

    def _game_log(self) -> GameLog:
        path = self._out
        if path is None:
            folder = state_folder() / "matches"
            folder.mkdir(parents=True, exist_ok=True)
            stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}"
            path = folder / f"{self.game.name}-{stamp}.jsonl"
        return GameLog(path, self._terms)

    def _all_terms(self, seed: int, patience: float) -> dict[str, Any]:
        """The terms that must be equal to resume a match; the number of games may change."""
        first: Pairing = self.pairings[0]
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "entrants": list(self.entrants),
            "opening_plies": first.opening_plies,
            "seed": seed,
            "patience": patience,
        }


class Progress:
    """Shows how a contest stands, every second: a game may take minutes. For a `with` block."""

    def __init__(self, contest: Contest, farm: Farm, tell: Tell, kept: int) -> None:
        self._contest = contest
        self._farm = farm
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
        told = [f"{contest.finished}/{total}", *_standing(contest), *self._time_left(), *self._losses()]
        self._words = " · ".join(told)

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

    def _losses(self) -> list[str]:
        deaths = self._farm.deaths
        return [f"{deaths} {'worker' if deaths == 1 else 'workers'} replaced"] if deaths else []


def _standing(contest: Contest) -> list[str]:
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
