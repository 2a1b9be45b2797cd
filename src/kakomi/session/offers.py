"""Offers of one seat to the others, and takebacks."""

from dataclasses import dataclass, replace

from kakomi.core.i18n import lazy_message
from kakomi.session.events import OfferKind
from kakomi.session.exceptions import Refused
from kakomi.session.match import Match


@dataclass(frozen=True)
class Offer:
    """An open offer."""

    kind: OfferKind
    seat: int
    """The seat that made it."""
    waiting: tuple[int, ...]
    """The seats that still have to answer."""

    def accepted_by(self, seat: int) -> "Offer":
        """The offer with one answer less to wait for."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def lapses_when_acting(self, seat: int) -> bool:
        """Whether it is over once a seat plays on: one that was asked, or one that wanted to take back."""
        return seat in self.waiting or (self.kind == "takeback" and seat == self.seat)


TO_BE_ANSWERED = {
    "draw": lazy_message("the open offer of a draw has to be answered first"),
    "takeback": lazy_message("the open request for a takeback has to be answered first"),
    "pause": lazy_message("the open request to stop the clocks has to be answered first"),
    "resume": lazy_message("the open request to let the clocks run has to be answered first"),
}
"""The reason why no offer can be made while one is open."""
OFFERED_BEFORE = {
    "draw": lazy_message("a draw can be offered again only after the next own action"),
    "takeback": lazy_message("a takeback can be offered again only after the next own action"),
    "pause": lazy_message("a pause can be offered again only after the next own action"),
    "resume": lazy_message("one can ask again only after the next own action"),
}
"""The reason why an offer can't be made again yet."""

DECISIONS = ("komi", "colour", "swap", "play")
"""The events that can be taken back."""
LEAVING = ("resign", "flag", "forfeit", "replace")
"""Those that stay: a player who has left a game does not return."""


def expect_still_in(match: Match, seat: int) -> None:
    """Raises Refused for a seat whose player has left the game."""
    if seat in match.current_game.resigned_seats:
        raise Refused(lazy_message("seat {seat} has left the game, which can't be taken back", seat=seat))


def take_back(match: Match, seat: int) -> Match:
    """The match when the seat had its last decision before it.

    Within its own turn that is the last action; a turn that is complete is taken back to its start. Finished
    games stay finished, and who has resigned meanwhile, or whose time was up, stays out. Raises Refused if
    there is nothing to take back.
    """
    expect_still_in(match, seat)
    back = _before_last_decision(match, seat)
    in_own_turn = match.to_act == seat and match.position.turn
    while not in_own_turn and back.position.turn and back.before:
        back = back.before
    return _without_those_who_left(back, match)


def _before_last_decision(match: Match, seat: int) -> Match:
    back: Match | None = match
    while back and back.last and back.before and len(back.before.games) == len(match.games):
        if back.last.seat == seat and back.last.kind in DECISIONS:
            return back.before
        back = back.before
    raise Refused(lazy_message("there is nothing to take back"))


def _without_those_who_left(back: Match, match: Match) -> Match:
    """An earlier state of a match, with all those gone who have left since, in their order."""
    events, step = [], match
    while step is not back and step.before:
        if step.last and step.last.kind in LEAVING:
            events.append(step.last)
        step = step.before
    for event in reversed(events):
        back = back.apply(event)
    return back
