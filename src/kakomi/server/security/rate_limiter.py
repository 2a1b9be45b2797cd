"""How often something may be done: buckets that fill steadily and are emptied by use."""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic

MOST_BUCKETS = 100_000
"""Strangers can have more addresses than we have memory; who was not seen for longest is forgotten."""


class RateLimiter:
    """One bucket for everybody who does something, holding a minute's worth when it is full."""

    def __init__(self, most: int = MOST_BUCKETS, now: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._now = now
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()
        """Who -> when the bucket will be full again."""

    def take(self, who: Hashable, per_minute: int) -> int:
        """Take one out; 0 if that could be done, else in how many seconds it can."""
        now, drop = self._now(), 60 / per_minute
        full_at = max(self._full_at.pop(who, now), now)
        wait = max(0, math.ceil(round(full_at + drop - now - 60, 6)))
        self._full_at[who] = full_at if wait else full_at + drop
        while len(self._full_at) > self._most:
            self._full_at.popitem(last=False)
        return wait

    def __len__(self) -> int:
        return len(self._full_at)
