"""A match as it was asked for on the command line, and how far it has come."""

import contextlib
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kakomi.cli.matching.progress import Progress
from kakomi.cli.shared.folders import state_folder
from kakomi.cli.shared.status import Tell
from kakomi.study import tournament
from kakomi.study.tournament import GameLog, Pairing, Played, Sprt, Statistics

if TYPE_CHECKING:
    from kakomi.core import Game


class Contest:
    """The entrants, the terms and the schedule of a match; `play` plays it.

    Raises ValueError, saying what would be right, if it can't be played as asked for.
    """

    def __init__(
        self,
        game: "Game",
        entrants: Sequence[str],
        games: int,
        *,
        seed: int,
        opening_plies: int | None = None,
        jobs: int | None = None,
        patience: float,
        out: Path | None = None,
        records: Path | None = None,
        sprt: Sprt | None = None,
    ) -> None:
        for entrant in entrants:
            tournament.check_entrant(entrant)
        if math.isnan(patience):
            raise ValueError("--patience must be a number of seconds")
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
        self._jobs, self._patience, self._out, self._records = jobs, patience, out, records

    def play(self, tell: Tell) -> None:
        """Play what isn't played yet, to the end or until the sequential test decides."""
        if len(self.entrants) > 2:
            tournament.check_library()
        with self._game_log() as log, Progress(self, tell, len(log.played)) as progress:
            self.kept = log.path
            games = tournament.play_games(self.pairings, jobs=self._jobs, log=log, patience=self._patience)
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
        """The end of a sentence: where the games are, and how the match goes on."""
        if self.kept is None:
            return ""
        return f"; {self.finished} games are kept: the same command with --out {self.kept} goes on"

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
        """What must be the same for a match to go on; how many games it has may change."""
        first: Pairing = self.pairings[0]
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "entrants": list(self.entrants),
            "opening_plies": first.opening_plies,
            "seed": seed,
            "patience": patience,
        }
