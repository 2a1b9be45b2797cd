"""Print the score of a game and the names of what was compiled for it: `score compiled,...`."""

import contextlib
from collections.abc import Iterator

import numpy as np

from kakomi.kernel import register, when_compiling
from tally import rules
from tally.loop import outcome


def main() -> None:
    register(rules)
    compiled = []

    @contextlib.contextmanager
    def noting(name: str) -> Iterator[None]:
        compiled.append(name)
        yield

    with when_compiling(noting):
        out = np.zeros(2)
        outcome(rules.board(), np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH), out)
    print(int(out[0]), ",".join(compiled) or "nothing")


if __name__ == "__main__":
    main()
