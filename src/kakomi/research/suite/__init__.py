"""The benchmark suite: tracks with fixed budgets and held-out openings, and comparable results.

>>> from kakomi.research import suite
>>> track = suite.find_track("mini-v1")
>>> track.id
'kakomi-suite/mini-v1'

`python -m kakomi.research.suite run mini-v1 --agent search --out search.json` makes one row of its table.
"""

from kakomi.research.suite.agent import AgentError, AgentMaker, budgeted
from kakomi.research.suite.result import Answers, Cell, Interval, Result, ResultError, read_result
from kakomi.research.suite.running import Order, run
from kakomi.research.suite.table import faults, table
from kakomi.research.suite.track import Budget, Sample, Task, Track, find_track, tracks

__all__ = [
    "AgentError",
    "AgentMaker",
    "Answers",
    "Budget",
    "Cell",
    "Interval",
    "Order",
    "Result",
    "ResultError",
    "Sample",
    "Task",
    "Track",
    "budgeted",
    "faults",
    "find_track",
    "read_result",
    "run",
    "table",
    "tracks",
]
