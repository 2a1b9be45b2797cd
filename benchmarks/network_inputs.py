"""What it costs to tell a network what it sees, beside the steps of many games.

python -m benchmarks.network_inputs [--seconds 2] [--games 1024] [--write]

A step draws a random legal action for every game, plays it, and makes observations, masks and rewards. Every
ratio is the median over rounds in which steps alone and steps with inputs were timed one after the other.
"""

import argparse
from pathlib import Path

import numpy as np

import kakomi
from benchmarks.pages import replace_part
from benchmarks.stepping import Step, spread, timed_in_turn
from kakomi.research import VectorEnv

PAGE = Path(__file__).resolve().parent.parent / "docs" / "research.md"


def steps(name: str, n: int, *, has_inputs: bool) -> Step:
    """A step of n games on the default board, with what a network sees of each or without."""
    env = VectorEnv(kakomi.game(name), n, seed=1, autoreset="same_step")

    def step() -> object:
        env.step(env.sample())
        return env.network_inputs() if has_inputs else None

    return step


def line(name: str, n: int, seconds: float) -> str:
    """A row of the table."""
    sides = [steps(name, n, has_inputs=has_inputs) for has_inputs in (False, True)]
    micros = 1e6 / timed_in_turn(sides, n, seconds)
    alone, both = np.median(micros, axis=0)
    ratio = spread(micros[:, 1] / micros[:, 0])
    return f"| {kakomi.game(name).description.title} | {alone:.2f} | {both:.2f} | {ratio} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.network_inputs", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default 2)")
    parser.add_argument("--games", type=int, default=1024, help="stepped at once (default 1024)")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{PAGE.name}")
    arguments = parser.parse_args()
    lines = [
        "| default board | µs a step | with what a network sees | times as long |\n",
        "| --- | ---: | ---: | ---: |\n",
    ]
    print(*lines, sep="", end="")
    for name in kakomi.names():
        lines.append(line(name, arguments.games, arguments.seconds))
        print(lines[-1], end="", flush=True)
    if arguments.write:
        replace_part(PAGE, "inputs", "".join(lines))


if __name__ == "__main__":
    main()
