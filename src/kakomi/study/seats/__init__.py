"""What each seat is worth among equals, and what repairs make of it (docs/seats.md)."""

from kakomi.study.seats.figures import BoardFigures, RepairFigures, SeatFigures
from kakomi.study.seats.repairs import Repair
from kakomi.study.seats.sample import SeatSample
from kakomi.study.seats.study import SeatStudy

__all__ = ["BoardFigures", "Repair", "RepairFigures", "SeatFigures", "SeatSample", "SeatStudy"]
