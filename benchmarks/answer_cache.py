"""What it is worth that a network's answers are remembered: the time of a search with and without that.

    python -m benchmarks.answer_cache [GAME]... [--simulations N] [--turns N]

The network that comes with a game plays some turns with itself, once with either. Both play the same ones;
the processor time of all their simulations is compared.
"""

import argparse
from functools import partial
from pathlib import Path

import kakomi
from benchmarks.advice import fastest
from benchmarks.bouts import chosen
from benchmarks.strength import with_file
from kakomi.core import Game
from kakomi.learn.answer_cache import CACHE_MB
from kakomi.learn.compiled_evaluator import CompiledEvaluator
from kakomi.search import AdvisedSearch

NETWORK = "network.npz"
ROUNDS = 3


class Turns:
    """Some turns of a game from its start, played by a network."""

    def __init__(self, game: Game, file: Path, cache_mb: float) -> None:
        self._game, self._file, self._cache_mb = game, file, cache_mb
        self.played: list[int] = []

    def play(self, turns: int, simulations: int) -> None:
        """Play them from the start, with nothing known."""
        evaluator = CompiledEvaluator(self._file, self._game, cache_mb=self._cache_mb)
        search = AdvisedSearch(self._game, evaluator=evaluator, seed=1, memory_mb=64)
        position, self.played = self._game.start(), []
        while len(self.played) < turns and not position.is_over:
            self.played.append(search.run(position, simulations=simulations).lines[0].action)
            position = position.play_action(self.played[-1])


def compared(game: Game, turns: int, simulations: int) -> str:
    """A row of the table. Raises ValueError if the two play different turns."""
    file = game.description.file(NETWORK)
    assert file is not None, f"{game.name} has no network"
    with_cache, without = (Turns(game, file, memory) for memory in (CACHE_MB, 0))
    each = []
    for side in (with_cache, without):
        side.play(1, 2)  # compiling is no searching
        each.append(fastest(ROUNDS, partial(side.play, turns, simulations)))
    if with_cache.played != without.played:
        raise ValueError(f"{game.name}: remembered answers changed what is played")
    micros = [1e6 * seconds / simulations / len(without.played) for seconds in each]
    return f"| {game.name} | {micros[1]:.0f} | {micros[0]:.0f} | {micros[1] / micros[0]:.2f} |"


def main() -> None:
    """Print a table in markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--simulations", type=int, default=600, help="a turn; default 600")
    parser.add_argument("--turns", type=int, default=20, help="default 20")
    arguments = parser.parse_args()
    print(f"{arguments.turns} turns by {arguments.simulations:,} simulations, µs a simulation")
    print("| game | without | remembering | ratio |\n| --- | ---: | ---: | ---: |")
    for name in with_file(NETWORK, chosen(arguments.games)):
        print(compared(kakomi.game(name), arguments.turns, arguments.simulations), flush=True)


if __name__ == "__main__":
    main()
