"""What a lead in a match's games was worth, as the board filled up.

    python -m benchmarks.leads FILE [--empty 90 70 50 30 10] [--after SECONDS]

FILE is what `kakomi match A B --out FILE` kept of two bots' games. For each number of empty points: the
mean lead of A's score when so few were left for the first time. With `--after`, two bots of plain UCT then
play each of those positions to its end, with so much processor time an action: between equals a lead that
was paid for with a worse position is lost again.
"""

import argparse
import math
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kakomi.core import Position
from kakomi.search import PlainSearch
from kakomi.study.tournament.played import Played


def lead(position: Position, seat: int) -> float:
    """By how much a player's score is above the other's."""
    scores = position.scores()
    return scores[seat] - scores[1 - seat]


def reached(played: Played, empty: int) -> Position | None:
    """The first position of a game with so few empty points, if it came to that."""
    position = played.pairing.found_game.start()
    for action in played.actions:
        position = position.play(action)
        if position.game.geometry.points - len(position.stones()) <= empty:
            return position
    return None


def played_on(position: Position, seconds: float) -> Position:
    """The end of the game between two equals, or where a search would cut it off (RULES N12)."""
    game = position.game
    limit = game.description.max_game_length
    most = limit(game.geometry, game.options) if limit else math.inf
    players = [PlainSearch(game, seed=seed, clock=time.thread_time) for seed in range(game.players)]
    while not position.is_over and position.ply < most:
        report = players[position.to_move].run(position, seconds=seconds)
        position = position.play_action(report.action)
    return position


def mean(leads: Sequence[float]) -> str:
    """With its 95% interval."""
    if len(leads) < 2:
        return "–"
    return f"{statistics.fmean(leads):+.1f} ± {1.96 * statistics.stdev(leads) / len(leads) ** 0.5:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leads", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--empty", type=int, nargs="+", default=[90, 70, 50, 30, 10], help="points")
    parser.add_argument("--after", type=float, metavar="SECONDS", help="an action of two bots that go on")
    arguments = parser.parse_args()
    first, *lines = arguments.file.read_bytes().splitlines()
    one = msgspec.json.decode(first)["entrants"][0]
    games = [msgspec.json.decode(line, type=Played) for line in lines]
    print(f"| empty points | games | lead of {one} (95 %) | in the end between equals (95 %) |")
    print("| --- | --- | --- | --- |")
    for empty in arguments.empty:
        found = [(reached(played, empty), played.pairing.seats.index(one)) for played in games]
        known = [(position, seat) for position, seat in found if position is not None]
        leads = [lead(position, seat) for position, seat in known]
        ends = "–"
        if arguments.after is not None:
            ends = mean([lead(played_on(position, arguments.after), seat) for position, seat in known])
        print(f"| {empty} | {len(known)} | {mean(leads)} | {ends} |", flush=True)


if __name__ == "__main__":
    main()
