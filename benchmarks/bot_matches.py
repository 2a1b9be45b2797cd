"""Games of many pairs of bots, with a file for each pair so that each can be resumed."""

import hashlib
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import kakomi
from kakomi import catalog
from kakomi.contest.estimate import Estimate
from kakomi.core import Game
from kakomi.farm import Farm, open_farm
from kakomi.study import matches
from kakomi.study.matches import GameLog, Pairing, Statistics

SEED = 2026


@dataclass(frozen=True)
class BotMatch:
    """Two bots, their board, and the number of games they play."""

    game: Game
    one: str
    other: str
    games: int

    @property
    def pairings(self) -> list[Pairing]:
        """The games, each opening once from every seat."""
        return matches.schedule(self.game, (self.one, self.other), self.games, seed=SEED)

    @property
    def name(self) -> str:
        """A file name that is unique to the board and the pair."""
        text = f"{self.game!r} {self.one} {self.other}"
        return f"{self.game.name}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"


def add_worker_options(parser: ArgumentParser) -> None:
    """Add the options that `open_farm_from_options` reads: where games are played, and how many at a time."""
    parser.add_argument("--jobs", type=int, help="games at a time (default: one a core)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster (docs/farm.md)")


def open_farm_from_options(arguments: Namespace) -> Farm:
    """Open the farm that the options describe."""
    return open_farm(arguments.jobs, arguments.ray)


def play(match: BotMatch, folder: Path, farm: Farm) -> Statistics:
    """Play the remaining games of a match, and return the statistics of all its games."""
    folder.mkdir(parents=True, exist_ok=True)
    pairings = match.pairings
    statistics = Statistics(pairings)
    terms = {
        "game": match.game.name,
        "options": dict(match.game.options),
        "entrants": [match.one, match.other],
    }
    with GameLog(folder / f"{match.name}.jsonl", {**terms, "seed": SEED}) as log:
        for number, played in enumerate(matches.play_games(pairings, farm, log=log), 1):
            statistics.add(played)
            tell(f"{match.game.name}: {match.one} against {match.other}, {number} of {len(pairings)} games")
    tell("")
    return statistics


def in_percent(estimate: Estimate | None) -> str:
    """Return a score with its 95% interval."""
    if estimate is None:
        return "–"
    return f"{100 * estimate.score:.1f} % ({100 * estimate.low:.0f}–{100 * estimate.high:.0f})"


def small_board(name: str) -> Game:
    """Return a game on the board on which its levels are measured: small, but with room for skill."""
    return kakomi.game(name, **catalog.describe(name).ladder_options)


def chosen(names: Sequence[str]) -> list[str]:
    """Return the names of the given games, or of all. Exits if one doesn't exist."""
    try:
        return [catalog.describe(name).name for name in names or kakomi.names()]
    except ValueError as error:
        sys.exit(str(error))


def tell(line: str) -> None:
    """Overwrite the last line on the terminal with a new one."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
