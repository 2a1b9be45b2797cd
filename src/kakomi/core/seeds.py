"""Seeds derived from other seeds."""

import hashlib


def derived_seed(seed: int, *parts: object) -> int:
    """A seed from 0 to 2**32 - 1 that is a hash of the arguments."""
    text = "/".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
