"""`python -m benchmarks.turn_orders --write`: how level seats of Rings would be in other orders of turns.

Plays Rings among equals by rules of its own that differ from Rings' in who is next, and puts a table into
docs/seats.md. Finished games are kept; the same command goes on.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.bouts import add_worker_options, opened, tell
from benchmarks.pages import replace_part
from benchmarks.turn_orders.orders import ORDERS
from benchmarks.turn_orders.playing import OrderedGame, OrderedSample
from kakomi.study.report.estimates import Estimate, holm, p_value, share
from kakomi.study.report.wording import in_words

PAGE = Path(__file__).parents[2] / "docs" / "seats.md"
BOT = "search:simulations=200"
SIZE = 3
PLAYERS = (3, 4)
GAMES = 300
MOST_SEATS = max(PLAYERS)


def seat_shares(games: Sequence[OrderedGame]) -> list[Estimate]:
    """What each seat gets of the win."""
    found = []
    for seat in range(len(games[0].shares)):
        one = share((str(game.number), game.shares[seat], 1.0) for game in games)
        assert one
        found.append(one)
    return found


def table(found: Sequence[tuple[OrderedSample, list[OrderedGame]]]) -> str:
    """A row for each order, as Markdown; p-values are corrected by Holm's method over all seats and rows."""
    shares = [seat_shares(games) for _, games in found]
    tests = iter(holm([p_value(one, 1 / len(row)) for row in shares for one in row]))
    heads = ["seats", "order of turns", "games", *"ABCDEF"[:MOST_SEATS], "smallest p"]
    lines = [heads, ["---:", "---", "---:", *["---"] * MOST_SEATS, "---:"]]
    for (sample, games), row in zip(found, shares, strict=True):
        smallest = min(next(tests) for _ in row)
        told = [in_words(one, "percent") for one in row] + ["–"] * (MOST_SEATS - len(row))
        p = "< 0.001" if smallest < 0.001 else f"{smallest:.3f}"
        lines.append([str(sample.players), sample.title, f"{len(games):,}", *told, p])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _watch(sample: OrderedSample, done: int) -> None:
    tell(f"{sample.players} players, {sample.title}: {done} of {sample.games} games")


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--keep", type=Path, default=Path(".cache/seats"), help="where games are kept")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    add_worker_options(parser)
    arguments = parser.parse_args()
    samples = [
        OrderedSample(SIZE, players, order, BOT, GAMES) for players in PLAYERS for order in range(len(ORDERS))
    ]
    found = []
    with opened(arguments) as farm:
        for sample in samples:
            games = sample.play(farm, arguments.keep, partial(_watch, sample))
            found.append((sample, games))
            print(f"{sample.players} players, {sample.title}: done", flush=True)
    text = table(found)
    print(text, end="")
    if arguments.write:
        replace_part(PAGE, "orders", text)


if __name__ == "__main__":
    main()
