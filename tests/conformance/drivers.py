"""Compiled loops over the rules that only these tests need."""

from kakomi.kernel import driver
from kakomi.kernel.contract import sample


@driver
def count_samples(boards, states, scratches, rng, counts, n):
    """Draw n actions from one position and count each in `counts`."""
    for _ in range(n):
        counts[sample(boards[0], states[0], scratches[0], rng)] += 1
