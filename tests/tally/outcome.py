"""Prints the score of a game and what had to be compiled for it: `score compiled,...`."""

import contextlib

import numpy as np

from kakomi.kernel import driver, register, when_compiling
from kakomi.kernel.contract import over, play, reset, scores
from tally import rules


@driver
def outcome(boards, states, scratches, out):
    """Play the whole game."""
    reset(boards[0], states[0])
    while not over(boards[0], states[0]):
        play(boards[0], states[0], scratches[0], 0)
    scores(boards[0], states[0], out)


def main() -> None:
    register(rules)
    compiled = []
    with when_compiling(lambda name: contextlib.nullcontext(compiled.append(name))):
        out = np.zeros(2)
        outcome(rules.board(), np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH), out)
    print(int(out[0]), ",".join(compiled) or "nothing")


if __name__ == "__main__":
    main()
