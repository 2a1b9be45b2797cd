"""Run many independent pieces of work on this machine's cores or on a Ray cluster.

>>> import math
>>> from kakomi.farm import Piece, open_farm
>>> pieces = [Piece(f"number {number}", math.factorial, (number,)) for number in (3, 4, 5)]
>>> with open_farm(workers=2) as farm:
...     farm.results(pieces)
[6, 24, 120]
"""

from kakomi.farm.farm import Farm, open_farm
from kakomi.farm.piece import FarmError, Piece, WorkFailed

__all__ = ["Farm", "FarmError", "Piece", "WorkFailed", "open_farm"]
