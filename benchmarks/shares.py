"""One bot at a table of three or more: its share of the wins, among others that are all alike.

    python -m benchmarks.shares [--bot net:cpu=0.5] [--among 10] [--players 3]... [--size 6] [--games 24]
        [--folder FOLDER] [--jobs N] [--ray ADDRESS]

Every opening is played once with the bot on each seat. An equal bot has a share of 1/n among n players. The
games are kept in the folder, and the same command goes on where it was stopped.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import kakomi
from benchmarks.bouts import SEED, Bout, add_worker_options, in_percent, opened, play
from kakomi.study import tournament
from kakomi.study.tournament import Pairing, Statistics, efforts_of, estimated, mean_effort

GAME = "rings"
"""The game that has tables of three and more."""


@dataclass(frozen=True)
class Company(Bout):
    """A bot at a table of others."""

    @property
    def pairings(self) -> list[Pairing]:
        """The games, each opening once with the bot on each seat."""
        entrants = (self.one, *[self.other] * (self.game.players - 1))
        return tournament.schedule(self.game, entrants, self.games, seed=SEED)

    def shares(self, statistics: Statistics) -> list[float]:
        """The bot's share of the wins with each opening, from 0 to 1."""
        openings: dict[int, list[float]] = {}
        for played in statistics.games:
            seat = played.pairing.seats.index(self.one)
            openings.setdefault(played.pairing.opening, []).append(played.shares[seat])
        return [fmean(shares) for shares in openings.values()]

    def row(self, statistics: Statistics) -> str:
        """A line of the table."""
        players, games = self.game.players, statistics.games
        share = estimated(self.shares(statistics), players)
        marks = [f"{100 / players:.1f} %", f"{150 / players:.1f} %"]
        times = [f"{mean_effort(efforts_of(name, games)).seconds:.2f} s" for name in (self.one, self.other)]
        return f"| {players} | {len(games)} | {in_percent(share)} | {' | '.join(marks + times)} |"


def main() -> None:
    """Play what is missing, and print a table in markdown."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.shares", description=__doc__, formatter_class=raw
    )
    parser.add_argument("--bot", default="net:cpu=0.5", help="default: net:cpu=0.5")
    parser.add_argument("--among", default="10", help="the others; default: level 10")
    parser.add_argument("--players", type=int, action="append", help="default: 3, 4, 5 and 6")
    parser.add_argument("--size", type=int, default=6, help="default 6")
    parser.add_argument("--games", type=int, default=24, help="for each number of players; default 24")
    parser.add_argument("--folder", type=Path, default=Path(".cache/shares"), help="where games are kept")
    add_worker_options(parser)
    chosen = parser.parse_args()
    print("| players | games | share (95 %) | an equal's | asked | its action | the others' |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with opened(chosen) as farm:
        for players in chosen.players or (3, 4, 5, 6):
            game = kakomi.game(GAME, size=chosen.size, players=players)
            company = Company(game, chosen.bot, chosen.among, chosen.games)
            print(company.row(play(company, chosen.folder, farm)), flush=True)


if __name__ == "__main__":
    main()
