"""Bots think and positions are analysed in other processes, while the site goes on.

Usage, in a coroutine::

    with Pool() as pool:
        event = await pool.decide(match, match.to_act, "7", seed=1, asker="table 12")
"""

from kakomi.server.thinking.decisions import seed_of_decision
from kakomi.server.thinking.failure import ThinkingFailed
from kakomi.server.thinking.findings import Analysis, Line, Thought
from kakomi.server.thinking.pool import Pool, cores

__all__ = ["Analysis", "Line", "Pool", "ThinkingFailed", "Thought", "cores", "seed_of_decision"]
