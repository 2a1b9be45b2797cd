"""Compare stepping many games at once on a GPU with Pgx on the same GPU.

python -m benchmarks.cuda [--seconds 3] [--games 16384] [--write]

The steps and the games are those of `benchmarks.research`. In addition to its requirements this needs
numba-cuda and a JAX that uses the GPU: pip install 'kakomi[cuda]' 'jax[cuda13]'.
"""

import argparse
import os
import statistics
from importlib.metadata import version
from typing import TYPE_CHECKING

import kakomi
from benchmarks.pages import replace_part
from benchmarks.stepping import Step, spread, timed_in_turn

if TYPE_CHECKING:
    from benchmarks.research import Row


def ours(row: "Row", n: int) -> Step:
    """Return a function that steps all games in Kakomi."""
    from numba import cuda

    from kakomi.research.cuda import CudaEnv

    env = CudaEnv(kakomi.game(row.game, **row.options), n, seed=1, autoreset="same_step")

    def step() -> None:
        env.step(env.sample(), trusted=True)
        cuda.synchronize()

    return step


def line(row: "Row", n: int, seconds: float) -> str:
    """Measure a row of the table."""
    from benchmarks.research import pgxs

    sides = ours(row, n), pgxs(row, n)
    rounds = timed_in_turn(sides, n, seconds)
    own, other = (f"{statistics.median(column) / 1e6:.3f} M" for column in rounds.T)
    title = f"{kakomi.game(row.game).description.title} {row.options['size']}"
    return f"| {title} | {own} | `{row.pgx}` {other} | {spread(rounds[:, 0] / rounds[:, 1])} |\n"


def gpu() -> str:
    """Return the name of the GPU. Exits, saying what is missing, unless both sides can use it."""
    try:
        from kakomi.kernel.cuda import need_gpu

        need_gpu()
    except (ImportError, RuntimeError) as error:
        raise SystemExit(f"Nothing was measured: {error}") from None
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the memory
    import jax

    if jax.default_backend() != "gpu":
        raise SystemExit("Nothing was measured: JAX doesn't use the GPU; pip install 'jax[cuda13]'")
    return str(jax.devices()[0].device_kind)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cuda", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure (default 3)")
    parser.add_argument("--games", type=int, default=16384, help="stepped at once (default 16384)")
    parser.add_argument("--write", action="store_true", help="put the table into docs/research.md")
    arguments = parser.parse_args()
    name = gpu()
    from benchmarks.research import PAGE, ROWS

    lines = ["| game | Kakomi | Pgx | ratio |\n", "| --- | ---: | ---: | ---: |\n"]
    print(*lines, sep="", end="")
    for row in ROWS:
        lines.append(line(row, arguments.games, arguments.seconds))
        print(lines[-1], end="", flush=True)
    packages = ", ".join(f"{package} {version(package)}" for package in ("pgx", "jax", "numba-cuda"))
    lines.append(f"\n{arguments.games} games at once; {name}, {packages}.\n")
    if arguments.write:
        replace_part(PAGE, "cuda", "".join(lines))


if __name__ == "__main__":
    main()
