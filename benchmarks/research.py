"""Compare stepping many games at once with OpenSpiel and Pgx on this processor.

python -m benchmarks.research [--seconds 3] [--games 1024] [--write]

Each step draws a random legal action for every game, plays it, and computes observations, legal masks and
rewards; finished games restart. OpenSpiel is stepped from Python, with one reused buffer for observations;
Pgx runs one compiled step for all games. Every ratio is the median over rounds in which all sides are timed
one after the other.
"""

import argparse
import os
import platform
import random
import statistics
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import jax
import jax.numpy as jnp
import pgx
import pyspiel
from open_spiel.python.observation import make_observation

import kakomi
from benchmarks.pages import replace_part
from benchmarks.stepping import Step, spread, timed_in_turn
from kakomi.research import VectorEnv

PAGE = Path(__file__).resolve().parent.parent / "docs" / "research.md"


@dataclass(frozen=True)
class Row:
    """One of our games, and the most similar games of the others."""

    game: str
    options: dict[str, int]
    open_spiel: str
    pgx: pgx.EnvId


ROWS = (
    Row("lin", {"size": 9}, "go(board_size=9)", "go_9x9"),
    Row("lin", {"size": 13}, "go(board_size=13)", "go_9x9"),
    Row("rin", {"size": 8}, "go(board_size=9)", "go_9x9"),
    Row("rin", {"size": 16}, "go(board_size=19)", "go_19x19"),
    Row("rive", {"size": 4}, "hex(board_size=6)", "hex"),
    Row("ren", {"size": 10}, "hex(board_size=11)", "hex"),
    Row("rings", {"size": 6}, "y(board_size=19)", "hex"),
)


def ours(row: Row, n: int, threads: int = 1) -> Step:
    """Return a function that steps all games in Kakomi."""
    game = kakomi.game(row.game, **row.options)
    env = VectorEnv(game, n, seed=1, autoreset="same_step", threads=threads)

    def step() -> None:
        env.step(env.sample())

    return step


def ours_on_all_cores(row: Row, n: int) -> Step:
    """The same, with as many threads as there are cores."""
    return ours(row, n, os.cpu_count() or 1)


def open_spiels(row: Row, n: int) -> Step:
    """The same in OpenSpiel."""
    game = pyspiel.load_game(row.open_spiel)
    states = [game.new_initial_state() for _ in range(n)]
    observation = make_observation(game)
    choose = random.Random(1).random

    def step() -> None:
        for i, state in enumerate(states):
            actions = state.legal_actions()
            state.apply_action(actions[int(choose() * len(actions))])
            if state.is_terminal():
                state.returns()
                states[i] = state = game.new_initial_state()
            player = state.current_player()
            observation.set_from(state, player)
            state.legal_actions_mask(player)

    return step


def pgxs(row: Row, n: int) -> Step:
    """The same in Pgx."""
    env = pgx.make(row.pgx)
    init, play = jax.vmap(env.init), jax.vmap(env.step)

    @jax.jit
    def advance(state: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
        key, sampling, beginning = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        state = play(state, jax.random.categorical(sampling, logits, axis=1))
        fresh = init(jax.random.split(beginning, n))

        def chosen(new: jax.Array, old: jax.Array) -> jax.Array:
            ended = state.terminated.reshape((n, *(1,) * (old.ndim - 1)))
            return jnp.where(ended, new, old)

        return jax.tree.map(chosen, fresh, state), key

    holder = [advance(init(jax.random.split(jax.random.key(1), n)), jax.random.key(2))]

    def step() -> None:
        holder[0] = advance(*holder[0])
        jax.block_until_ready(holder[0][0].observation)

    return step


def line(row: Row, n: int, seconds: float) -> str:
    """Measure a row of the table."""
    sides = [make(row, n) for make in (ours, ours_on_all_cores, open_spiels, pgxs)]
    rounds = timed_in_turn(sides, n, seconds)
    own, shared, open_spiel, other = (f"{statistics.median(column) / 1e6:.3f} M" for column in rounds.T)
    ratios = rounds[:, :2] / rounds[:, 2:].max(axis=1, keepdims=True)
    spreads = " | ".join(map(spread, ratios.T))
    title = f"{kakomi.game(row.game).description.title} {row.options['size']}"
    peers = f"`{row.open_spiel}` {open_spiel} | `{row.pgx}` {other}"
    return f"| {title} | {own} | {shared} | {peers} | {spreads} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.research", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure (default 3)")
    parser.add_argument("--games", type=int, default=1024, help="stepped at once (default 1024)")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{PAGE.name}")
    arguments = parser.parse_args()
    head = (
        "| game | one thread | all cores | OpenSpiel | Pgx | one thread to the better | all cores to it |\n"
    )
    lines = [head, "| --- " + 6 * "| ---: " + "|\n"]
    print(*lines, sep="", end="")
    for row in ROWS:
        lines.append(line(row, arguments.games, arguments.seconds))
        print(lines[-1], end="", flush=True)
    packages = ", ".join(f"{name} {version(name)}" for name in ("open-spiel", "pgx", "jax", "numba"))
    lines.append(
        f"\n{arguments.games} games at once; Python {platform.python_version()}, {packages},"
        f" {os.cpu_count()} cores.\n"
    )
    if arguments.write:
        replace_part(PAGE, "steps", "".join(lines))


if __name__ == "__main__":
    main()
