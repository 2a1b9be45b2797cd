"""Compare what games cost with the cost model of reports (`kakomi.study.report.plan`).

    python -m benchmarks.report_cost [--level 4]

For each board it prints the core-seconds of a game of a level against itself, by the model and by the clock,
and their ratio. The model's constants are upper bounds, so that budgets are kept: a ratio above 1 on an idle
machine is a bug.
"""

import argparse
import time
from collections.abc import Iterator

import kakomi
from kakomi.core import Game
from kakomi.study.matches import play, warm_all
from kakomi.study.report.plan import Sample, cost_model

GAMES = 4


def boards() -> Iterator[Game]:
    """Yield the default board of every game and its board for quick games; also Rings for three players."""
    for name in kakomi.names():
        game = kakomi.game(name)
        yield game
        yield kakomi.game(name, **game.description.quick)
    yield kakomi.game("rings", size=3, players=3)


def measured(game: Game, level: int) -> float:
    """Return the processor seconds of a game, averaged over `GAMES` games."""
    pairings = Sample("self", level, GAMES).pairings(game, 1)
    warm_all(pairings)
    began = time.process_time()
    for pairing in pairings:
        play(pairing, with_chances=True)
    return (time.process_time() - began) / GAMES


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--level", type=int, default=4, choices=range(1, 11))
    level = parser.parse_args().level
    print("board                                   model s   clock s   clock / model")
    for game in boards():
        expected = cost_model(game).searched_game(game.description.levels[level - 1].simulations)
        found = measured(game, level)
        options = " ".join(f"{name}={value}" for name, value in game.options.items())
        print(f"{game.name:6}{options:33}{expected:8.2f}{found:10.2f}{found / expected:16.2f}", flush=True)


if __name__ == "__main__":
    main()
