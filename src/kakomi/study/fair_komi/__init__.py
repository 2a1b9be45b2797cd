"""The fair komi of a board, from games of a bot with itself at several komis (docs/komi.md)."""

from kakomi.study.fair_komi.estimate import KomiEstimate, estimated
from kakomi.study.fair_komi.measurement import KomiMeasurement, KomiRow

__all__ = ["KomiEstimate", "KomiMeasurement", "KomiRow", "estimated"]
