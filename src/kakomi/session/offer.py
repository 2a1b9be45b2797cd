"""What one seat asks of the others."""

from dataclasses import dataclass, replace
from typing import Literal

OfferKind = Literal["draw", "takeback"]
OFFERS: tuple[OfferKind, ...] = ("draw", "takeback")


@dataclass(frozen=True)
class Offer:
    """An open offer."""

    kind: OfferKind
    seat: int
    """Who made it."""
    waiting: tuple[int, ...]
    """Who has still to answer."""

    def accepted_by(self, seat: int) -> "Offer":
        """The offer with one answer less to wait for."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def lapses_when_acting(self, seat: int) -> bool:
        """Whether a seat that plays on has thereby answered no, or has thought better of its takeback."""
        return seat in self.waiting or (self.kind == "takeback" and seat == self.seat)
