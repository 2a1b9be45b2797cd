"""Many pairs of bots, each pair's games in a file of its own, so that any of it can be gone on with."""

import hashlib
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import kakomi
from kakomi import catalog
from kakomi.core import Game
from kakomi.farm import Farm, open_farm
from kakomi.study import tournament
from kakomi.study.tournament import Estimate, GameLog, Pairing, Statistics

SEED = 2026


@dataclass(frozen=True)
class Bout:
    """Two bots and how many games they play on which board."""

    game: Game
    one: str
    other: str
    games: int

    @property
    def pairings(self) -> list[Pairing]:
        """The games, each opening once from every seat."""
        return tournament.schedule(self.game, (self.one, self.other), self.games, seed=SEED)

    @property
    def name(self) -> str:
        """A file name that tells the pair, and differs for any other."""
        text = f"{self.game!r} {self.one} {self.other}"
        return f"{self.game.name}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"


def add_worker_options(parser: ArgumentParser) -> None:
    """Where games are played, and how many at a time: what `opened` reads."""
    parser.add_argument("--jobs", type=int, help="games at a time (default: one a core)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster (docs/farm.md)")


def opened(arguments: Namespace) -> Farm:
    """The farm that was asked for."""
    return open_farm(arguments.jobs, arguments.ray)


def play(bout: Bout, folder: Path, farm: Farm) -> Statistics:
    """Play what of a bout isn't played yet; how it stands in the end."""
    folder.mkdir(parents=True, exist_ok=True)
    pairings = bout.pairings
    statistics = Statistics(pairings)
    terms = {"game": bout.game.name, "options": dict(bout.game.options), "entrants": [bout.one, bout.other]}
    with GameLog(folder / f"{bout.name}.jsonl", {**terms, "seed": SEED}) as log:
        for number, played in enumerate(tournament.play_games(pairings, farm, log=log), 1):
            statistics.add(played)
            tell(f"{bout.game.name}: {bout.one} against {bout.other}, {number} of {len(pairings)} games")
    tell("")
    return statistics


def in_percent(estimate: Estimate | None) -> str:
    """A score with its 95% interval."""
    if estimate is None:
        return "–"
    return f"{100 * estimate.score:.1f} % ({100 * estimate.low:.0f}–{100 * estimate.high:.0f})"


def small_board(name: str) -> Game:
    """A game on the board that its levels are measured on: small, with room for skill."""
    return kakomi.game(name, **catalog.describe(name).ladder_options)


def chosen(names: Sequence[str]) -> list[str]:
    """The games asked for, or all. Ends the program if one of them is none."""
    try:
        return [catalog.describe(name).name for name in names or kakomi.names()]
    except ValueError as error:
        sys.exit(str(error))


def tell(line: str) -> None:
    """Put a line over the last one, for somebody who watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
