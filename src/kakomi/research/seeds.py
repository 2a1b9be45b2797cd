"""One seed for many games."""

import numpy as np

from kakomi.kernel import random_state


def random_states(seed: int, n: int) -> np.ndarray:
    """A generator for each of n games (uint64, n, 1), other ones for every seed below 2**32."""
    return np.array([random_state((int(seed) << 32) + i) for i in range(n)])
