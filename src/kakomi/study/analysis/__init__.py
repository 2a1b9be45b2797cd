"""Analysis of recorded games: win chances after every action, and where they turned.

>>> import kakomi
>>> from kakomi import records
>>> from kakomi.study.analysis import PositionLimits, analyse
>>> game = kakomi.game("rive", size=2)
>>> record = records.recorded(game, ["b2", "a1"])
>>> analysis = analyse(record, game, PositionLimits(simulations=100))
>>> [move.ply.action_text for move in analysis.moves]
['b2', 'a1']
"""

from kakomi.study.analysis.analysis import Analysis, PositionLimits, analyse
from kakomi.study.analysis.drawing import draw_chances, draw_plot, page_stylesheet
from kakomi.study.analysis.move import Grade, Move, Ply, plies
from kakomi.study.analysis.summary import Summary, annotated, as_data, summaries

__all__ = [
    "Analysis",
    "Grade",
    "Move",
    "Ply",
    "PositionLimits",
    "Summary",
    "analyse",
    "annotated",
    "as_data",
    "draw_chances",
    "draw_plot",
    "page_stylesheet",
    "plies",
    "summaries",
]
