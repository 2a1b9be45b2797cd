"""What asking a network costs a search beside the network itself, and how long networks take.

    python -m benchmarks.advice [GAME]... [--simulations 20000] [--rounds 7] [--network FILE...]

A network that knows nothing changes no visit. So a search that asks one and a search without one do the same,
and what the first takes longer, by the question, is what asking costs: the board's planes, the answer's
logits, and the ways between Python and compiled code. Every leaf grows at its second visit, so that there are
many questions. A network in a FILE, for one GAME, is timed on its own; of several FILES each, in turns. All
times are of the processor; of the rounds the fastest counts.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import kakomi
from kakomi.core import Game
from kakomi.learn.evaluator import BlankEvaluator
from kakomi.learn.evaluators import NetworkEvaluator, open_evaluator
from kakomi.search import AdvisedSearch, Search

MEMORY_MB = 64
EVALUATIONS = 300


class CountingEvaluator(BlankEvaluator):
    asked = 0

    def evaluate(self) -> None:
        self.asked += 1


def fastest(rounds: int, act: Callable[[], object]) -> float:
    """Seconds of the processor."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        act()
        taken.append(time.process_time() - start)
    return min(taken)


def overhead(game: Game, simulations: int, rounds: int) -> tuple[float, int]:
    """Seconds a question, and the number of questions."""
    config = replace(game.description.search_config, use_prior=0, expand_after=1)
    start, evaluator = game.start(), CountingEvaluator(game)

    def plain() -> None:
        Search(game, config=config, memory_mb=MEMORY_MB).run(start, simulations=simulations)

    def advised() -> None:
        evaluator.asked = 0
        search = AdvisedSearch(game, evaluator=evaluator, mix=0.0, config=config, memory_mb=MEMORY_MB)
        search.run(start, simulations=simulations)

    for act in (plain, advised):
        act()  # compiling is no asking
    without = fastest(rounds, plain)
    return (fastest(rounds, advised) - without) / evaluator.asked, evaluator.asked


def evaluate_often(evaluator: NetworkEvaluator) -> None:
    """`EVALUATIONS` times."""
    for _ in range(EVALUATIONS):
        evaluator.evaluate()


def timed(files: Sequence[str], game: Game, rounds: int) -> Iterator[str]:
    """How long each network takes for a position."""
    evaluators = {file: open_evaluator(file, game, cache_mb=0) for file in files}
    taken = dict.fromkeys(files, math.inf)
    for _ in range(rounds):
        for file, evaluator in evaluators.items():
            seconds = fastest(1, partial(evaluate_often, evaluator))
            taken[file] = min(taken[file], seconds / EVALUATIONS)
    for file, seconds in taken.items():
        yield f"{1e6 * seconds:6.1f} µs {Path(file).name}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=kakomi.names(), metavar="GAME")
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--network", metavar="FILE", nargs="+", default=[])
    settings = parser.parse_args()
    for name in settings.games:
        game = kakomi.game(name)
        seconds, asked = overhead(game, settings.simulations, settings.rounds)
        told = f"{name:6} {1e6 * seconds:5.1f} µs a question, of {asked:,}"
        if settings.network:
            told += "".join(f"; {each}" for each in timed(settings.network, game, settings.rounds))
        print(told, flush=True)


if __name__ == "__main__":
    main()
