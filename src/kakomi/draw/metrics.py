"""How each way of showing points looks: sizes and shapes, as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from kakomi.draw.shapes import DISC, HEXAGON, SQUARE, Outline


@dataclass(frozen=True)
class Look:
    """Lengths are in board units: neighbouring points are one apart."""

    spot: Outline
    """The part of the board that belongs to a point."""
    stone: float
    """A stone's radius."""
    label: float
    """From the outermost points to the labels beside them."""
    edge: float
    """From the outermost points to the board's edge."""


LOOKS: Mapping[str, Look] = {
    "intersections": Look(SQUARE, stone=0.47, label=0.92, edge=1.35),
    "squares": Look(SQUARE, stone=0.4, label=0.85, edge=1.25),
    "hexagons": Look(HEXAGON, stone=0.39, label=0.9, edge=1.25),
    "circles": Look(DISC, stone=0.38, label=0.8, edge=1.25),
}
