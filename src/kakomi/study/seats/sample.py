"""Games of a bot with itself, all from one position, kept in a file of their own."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kakomi.core import Game
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm
from kakomi.study.tournament import GameLog, Pairing, Played, play_games, schedule


@dataclass(frozen=True)
class SeatSample:
    """So many games of a bot with itself. One of more games begins with those of a smaller one.

    Games begin at the start, or at a position: random openings are drawn so that they are not one-sided, and
    would hide what being first is worth.
    """

    game: Game
    bot: str
    games: int
    seed: int = 1
    position: str = ""
    """Where they begin, as `str(position)`; empty: at the game's start."""

    @property
    def file_name(self) -> str:
        """A name for the file of games that differs for any other sample."""
        board = "-".join(f"{name}{value}" for name, value in self.game.options.items())
        return f"{self.game.name}-{board}-{self._own_seed:08x}.jsonl"

    def pairings(self) -> list[Pairing]:
        """The schedule."""
        entrants = [self.bot] * self.game.players
        found = schedule(self.game, entrants, self.games, seed=self._own_seed, opening_plies=0)
        return [replace(pairing, position=self.position) for pairing in found[: self.games]]

    def play(self, farm: Farm, folder: Path, tell: Callable[[int], None] = lambda done: None) -> list[Played]:
        """Play what the folder doesn't hold yet; all games in the order of the schedule.

        `tell` is called with the number of finished games. Raises what `GameLog` and `play_games` raise.
        """
        found: dict[int, Played] = {}
        with (
            GameLog(folder / self.file_name, self._terms()) as log,
            contextlib.closing(play_games(self.pairings(), farm, log=log, with_chances=True)) as games,
        ):
            for played in games:
                found[played.pairing.number] = played
                tell(len(found))
        return [played for _, played in sorted(found.items())]

    @property
    def _own_seed(self) -> int:
        """Of this bot on this board: samples of one study draw nothing in common."""
        return derived_seed(self.seed, "seats", self.bot, self.position, *self.game.options.items())

    def _terms(self) -> dict[str, Any]:
        return {
            "measured": "seats",
            "game": self.game.name,
            "options": dict(self.game.options),
            "bot": self.bot,
            "seed": self.seed,
            "position": self.position,
        }
