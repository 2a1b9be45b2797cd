"""A cache in Redis, shared by all processes of a site, in which allauth counts failed sign-ins.

The site works without Redis: while it is unavailable, each process counts in its own memory.
"""

import json
import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

_LOG = logging.getLogger(__name__)
_AWAY_SECONDS = 1.0
"""The timeout after which Redis counts as unavailable."""
MOST_ENTRIES = 100_000
"""The most entries in a process's own memory."""


class JsonSerializer:
    """Serializes numbers, texts and lists as JSON."""

    def dumps(self, value: object) -> bytes:
        """Encode a value for Redis."""
        return json.dumps(value).encode()

    def loads(self, content: bytes) -> Any:
        """Decode a value from Redis."""
        return json.loads(content)


class SharedCache(RedisCache):
    """A cache in Redis, or in this process's memory while Redis is unavailable."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {
            "serializer": JsonSerializer,  # unlike pickle, it never executes data from Redis
            "socket_timeout": _AWAY_SECONDS,
            "socket_connect_timeout": _AWAY_SECONDS,
        }
        super().__init__(server, {**params, "OPTIONS": options})
        own = {**params, "OPTIONS": {"MAX_ENTRIES": MOST_ENTRIES}}
        self._own = LocMemCache("shared-cache", own)
        self._is_away = False

    def add(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._asked(super().add, self._own.add, key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._asked(super().get, self._own.get, key, default, version)

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._asked(super().set, self._own.set, key, value, timeout, version)

    def touch(self, key: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._asked(super().touch, self._own.touch, key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._asked(super().delete, self._own.delete, key, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._asked(super().incr, self._own.incr, key, delta, version))

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return bool(self._asked(super().has_key, self._own.has_key, key, version))

    def _asked(self, there: Callable[..., Any], here: Callable[..., Any], *values: Any) -> Any:
        """The result from Redis, or from memory if Redis fails, which is logged once."""
        from redis.exceptions import RedisError

        try:
            answer = there(*values)
        except (RedisError, OSError) as error:
            if not self._is_away:
                _LOG.warning("Redis is away; until it is back each process counts for itself: %s", error)
            self._is_away = True
            return here(*values)
        self._is_away = False
        return answer
