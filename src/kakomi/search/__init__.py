"""Playouts and tree search over any game's rules; knows no game."""

from kakomi.search.plain import PlainSearch
from kakomi.search.report import Line, Report
from kakomi.search.search import Search

__all__ = ["Line", "PlainSearch", "Report", "Search"]
