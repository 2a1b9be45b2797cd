"""Seeds made of seeds."""

import hashlib


def derived_seed(seed: int, *parts: object) -> int:
    """Another seed, from 0 to 2**32 - 1, that depends on all of these and nothing else."""
    text = "/".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
