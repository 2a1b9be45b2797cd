"""`python -m tests.kernels`: compile what `make test` needs, before several workers would.

One process compiles a game with a third less work than several that compile parts of it, each of them
the rules again. Nothing depends on this: what is not compiled here, tests compile or run interpreted.
"""

import gc
import inspect
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import conftest  # noqa: F401  (where compiled code is kept)
from kakomi import catalog
from kakomi.core import Game
from kakomi.core.position import position_from_key
from kakomi.core.system import cores
from kakomi.kernel import Mode, random_state, use_mode
from kakomi.kernel.cache import cached_files
from sampling import is_compiled

SOLVED = ("rin", "rive")
"""Games whose solver is compiled: the others' is tested interpreted, on small boards."""


def main() -> None:
    """Compile all games, as many at once as there are cores, and say how much there is now."""
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        list(pool.map(compile_game, sorted(catalog.names(), key=_work, reverse=True)))
    print(f"compiled drivers: {len(cached_files())}")


def _work(name: str) -> int:
    """About how much there is to compile: the largest game should not begin last."""
    return len(inspect.getsource(catalog.describe(name).rules))


def compile_game(name: str) -> None:
    """What playing, searching and counting compile; for one game also the rest, with bounds checks too."""
    from conformance.drivers import count_samples
    from kakomi.bots import RandomBot
    from kakomi.search import PlainSearch, Search
    from kakomi.solve import Solver
    from kakomi.study.perft import perft

    gc.collect()  # of the game before
    gc.disable()  # it would take a sixteenth of the time
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
    from kakomi.search import Search
    from kakomi.search.playout import Playouts

    _play(game)
    observe(game.start())
    Search(game, seed=1, memory_mb=1).run(game.start(), simulations=2)
    Playouts(game, seed=1).run(1)
    env = VectorEnv(game, 2)
    env.step(env.sample())


def _smallest(name: str) -> Game:
    """The game that tests solve: on small boards a game may have other states for it."""
    size = catalog.describe(name).options[0]
    return catalog.game(name, **{size.name: size.allowed_given({})[0]})


if __name__ == "__main__":
    main()
