"""Analysis of recorded games: win chances after every action, turning points, and who will own each point.

>>> import kakomi
>>> from kakomi import records
>>> from kakomi.analysis import PositionLimits, analyse
>>> game = kakomi.game("rive", size=2)
>>> record = records.recorded(game, ["b2", "a1"])
>>> analysis = analyse(record, game, PositionLimits(simulations=100))
>>> [move.ply.action_text for move in analysis.moves]
['b2', 'a1']
"""

from kakomi.analysis.analysis import Analysis, PositionLimits, analyse
from kakomi.analysis.drawing import draw_chances, draw_plot, ownership_overlay, page_stylesheet
from kakomi.analysis.move import Grade, Move, Ply, plies
from kakomi.analysis.summary import Summary, annotated, as_data, summaries
from kakomi.analysis.swing import Swing
from kakomi.search.playout import ownership
from kakomi.search.report import Ownership

__all__ = [
    "Analysis",
    "Grade",
    "Move",
    "Ownership",
    "Ply",
    "PositionLimits",
    "Summary",
    "Swing",
    "analyse",
    "annotated",
    "as_data",
    "draw_chances",
    "draw_plot",
    "ownership",
    "ownership_overlay",
    "page_stylesheet",
    "plies",
    "summaries",
]
