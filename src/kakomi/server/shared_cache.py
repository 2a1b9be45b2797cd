"""The cache that all processes of a site share by Redis: allauth counts failed sign-ins there.

Redis is speed and never truth: while it is away each process counts in its own memory.
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
"""After which Redis counts as away."""
MOST_ENTRIES = 100_000
"""Of a process of its own."""


class JsonSerializer:
    """Values as JSON: numbers, texts and lists."""

    def dumps(self, value: object) -> bytes:
        """A value as it lies in Redis."""
        return json.dumps(value).encode()

    def loads(self, content: bytes) -> Any:
        """The value again."""
        return json.loads(content)


class SharedCache(RedisCache):
    """Redis, or this process's memory while Redis is away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {
            "serializer": JsonSerializer,  # what lies in Redis is data, and never code
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
        """What Redis answers, or memory if it doesn't; the log says so once."""
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
