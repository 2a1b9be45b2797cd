"""A small random number generator whose entire state is one `uint64` held by the caller.

`np.random` in compiled code is seeded per thread and would disturb the user's own stream. This is
xorshift64 (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003), which needs no
multiplication and so doesn't overflow in interpreted code; seeds are mixed with splitmix64.
"""

import numpy as np

RandomState = np.ndarray
"""uint64 [1]: the state of a generator, changed in place by every draw."""

_MASK = (1 << 64) - 1


def random_state(seed: int) -> RandomState:
    """Return a generator's state for any integer seed. Equal seeds give equal streams."""
    z = (int(seed) + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    z ^= z >> 31
    return np.array([z or 1], np.uint64)  # zero is xorshift's one dead state


def draw(rng):
    """Return the next 64 random bits."""
    x = xorshift(rng[0])
    rng[0] = x
    return x


def xorshift(x):
    """Return the `uint64` that follows x in the generator's single cycle of nonzero numbers; 0 follows 0."""
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x


def below(rng, n):
    """Return a random integer from 0 to n - 1, for 0 < n < 2**31.

    It multiplies and shifts the upper 32 bits (D. Lemire, "Fast random integer generation in an
    interval", 2019, without its rejection step): the bias is below n / 2**32.
    """
    return int(((draw(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))
