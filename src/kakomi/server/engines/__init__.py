"""A pool of engine processes that compute bots' decisions and analyse positions.

Usage, in a coroutine::

    with EnginePool() as pool:
        event = await pool.decide(match, match.to_act, "7", seed=1, client="table 12")
"""

from kakomi.server.engines.decisions import seed_of_decision
from kakomi.server.engines.pool import EnginePool, shared_pool
from kakomi.server.engines.processes import EnginePoolError

__all__ = ["EnginePool", "EnginePoolError", "seed_of_decision", "shared_pool"]
