"""`python -m tests.kernels`: compile what `make test` needs, before several workers would do so.

One process compiles a game with a third less work than several that compile parts of it, each compiling the
rules again. This is optional: tests compile what is missing, or run it interpreted.
"""

import gc
import inspect
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import conftest  # noqa: F401  (sets the folder for compiled code)
from kakomi import catalog
from kakomi.core import Game
from kakomi.core.position import position_from_key
from kakomi.core.system import cores
from kakomi.kernel import Mode, mode, random_state, use_mode
from kakomi.kernel.cache import cached_files
from sampling import is_compiled

SOLVED = ("rin", "rive")
"""Games whose solver is compiled; the others' solvers are tested interpreted, on small boards."""


def main() -> None:
    """Compile all games in parallel on all cores, and print the number of compiled drivers."""
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        list(pool.map(compile_game, sorted(catalog.names(), key=_work, reverse=True)))
    print(f"compiled drivers: {len(cached_files())}")


def _work(name: str) -> int:
    """A rough measure of the code to compile, so that the largest game doesn't start last."""
    return len(inspect.getsource(catalog.describe(name).rules))


def compile_game(name: str) -> None:
    """Compile the code for playing, searching and counting; for one game all code, also with bounds
    checks."""
    from conformance.drivers import count_samples
    from kakomi.bots import RandomBot
    from kakomi.search import PlainSearch, Search
    from kakomi.solve import Solver
    from kakomi.study.perft import perft

    gc.collect()  # garbage of the previous game
    gc.disable()  # garbage collection would take a sixteenth of the time
    game = catalog.game(name, **catalog.describe(name).quick)
    _play(game)
    perft(game.start(), 1)
    counts = np.zeros(len(game.actions), np.int64)
    count_samples(game.board, game.start().states(), game.scratch, random_state(1), counts, 1)
    Search(game, seed=1, memory_mb=1).run(game.start(), simulations=2)
    if game.description.komi_option:
        RandomBot().name_komi(game)
    if name in SOLVED:
        PlainSearch(game, memory_mb=1).warm()
        Solver(_smallest(name).start(), memory_mb=1).warm()
    if is_compiled(name):
        for mode in (Mode.COMPILED, Mode.CHECKED):
            with use_mode(mode):
                _use_widely(game)


def _play(game: Game) -> None:
    position = Game(game.description, game.options).start()
    after = position.play_action(position.legal_actions()[0])
    after.scores()
    position_from_key(game, after.key())


def _use_widely(game: Game) -> None:
    from kakomi.research import VectorEnv, observe
    from kakomi.search import AdvisedSearch, PatternSearch, PatternTable, Search
    from kakomi.search.playout import Playouts, ownership
    from search.evaluators import CountingEvaluator

    _play(game)
    observe(game.start())
    Search(game, seed=1, memory_mb=1).run(game.start(), simulations=2)
    Playouts(game, seed=1).run(1)
    ownership(game.start(), 1)
    if mode() is Mode.COMPILED:
        patterns = PatternSearch(game, table=PatternTable.blank(game), memory_mb=1)
        network = AdvisedSearch(game, evaluator=CountingEvaluator(game), memory_mb=1)
        for advised in (patterns, network):
            advised.run(game.start(), simulations=2)
    env = VectorEnv(game, 2)
    env.step(env.sample())


def _smallest(name: str) -> Game:
    """The board that tests solve; on small boards a game may use different states for solving."""
    size = catalog.describe(name).options[0]
    return catalog.game(name, **{size.name: size.allowed_given({})[0]})


if __name__ == "__main__":
    main()
