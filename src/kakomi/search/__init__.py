"""Playouts and tree search over the rules of any game."""

from kakomi.search.advised_search import AdvisedSearch, Evaluator, OwnEvaluator
from kakomi.search.pattern_table import PatternTable
from kakomi.search.report import Line, Report
from kakomi.search.search import PatternSearch, Search
from kakomi.search.uct_search import PlainSearch

__all__ = [
    "AdvisedSearch",
    "Evaluator",
    "Line",
    "OwnEvaluator",
    "PatternSearch",
    "PatternTable",
    "PlainSearch",
    "Report",
    "Search",
]
