"""The pool that all of a process shares."""

import threading

from kakomi.server.engines.pool import EnginePool

_lock = threading.Lock()
_shared: list[EnginePool] = []


def shared_pool() -> EnginePool:
    """This process's engines; they are started when they are first needed."""
    with _lock:
        if not _shared:
            _shared.append(EnginePool())
        return _shared[0]


def close(pool: EnginePool) -> None:
    """End a pool's engines; if it was the shared one, who asks for that next gets another."""
    with _lock:
        if pool in _shared:
            _shared.remove(pool)
    pool.close()
