"""The progress of a plan at a table: it stays valid, has an answer to play, or ends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.session.events import Entry, OfferKind
from kakomi.session.match import Match
from kakomi.session.match_game import MatchGame
from kakomi.session.plans import Plan, is_whole, same_position
from kakomi.session.table import Table

EndReason = Literal[
    "played",
    "surprise",
    "own",
    "illegal",
    "takeback",
    "takeback offer",
    "draw offer",
    "swap",
    "left",
    "over",
    "changed",
]
"""Why a plan has ended: it was played to its end; another seat, or its owner, played a turn that isn't in it;
its answer isn't allowed; a turn was taken back; a takeback or a draw was offered; colours were swapped;
somebody left the game; the game is over; anything else happened."""


@dataclass(frozen=True)
class PlanEnd:
    """Why a plan has ended."""

    reason: EndReason
    turn: tuple[str, ...] = ()
    """The turn that the reason refers to, if any."""

    @property
    def words(self) -> LazyMessage:
        """A sentence for the plan's owner."""
        if self.reason in _ABOUT_TURNS:
            return _about_turn(self.reason, " ".join(self.turn))
        return _WORDS[self.reason]

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {"reason": self.reason, "turn": list(self.turn)}

    @staticmethod
    def from_json(data: Any) -> "PlanEnd":
        """Read what `to_json` returned; an unknown reason becomes `changed`."""
        reason = data["reason"] if data["reason"] in get_args(EndReason) else "changed"
        return PlanEnd(cast(EndReason, reason), tuple(data["turn"]))


_ABOUT_TURNS = ("played", "surprise", "own", "illegal")


def _about_turn(reason: str, turn: str) -> LazyMessage:
    match reason:
        case "surprise":
            return lazy_message("Your plan has ended: it had no reply to {turn}.", turn=turn)
        case "own":
            return lazy_message("Your plan has ended: you played {turn} instead.", turn=turn)
        case "illegal":
            return lazy_message("Your plan has ended: its reply {turn} isn’t legal now.", turn=turn)
        case _:
            return lazy_message("Your plan has been played out to its last move, {turn}.", turn=turn)


_WORDS = {
    "takeback": lazy_message("Your plan has ended: a move was taken back."),
    "takeback offer": lazy_message("Your plan has ended: a takeback was requested."),
    "draw offer": lazy_message("Your plan has ended: a draw was offered."),
    "swap": lazy_message("Your plan has ended: colours were swapped."),
    "left": lazy_message("Your plan has ended: a player left the game."),
    "over": lazy_message("Your plan has ended: the game is over."),
    "changed": lazy_message("Your plan has ended: something else happened in the game."),
}


@dataclass(frozen=True)
class Progress:
    """The progress of a plan."""

    plan: Plan
    """The rest of the plan, from the position after the last whole turn."""
    answer: tuple[str, ...] = ()
    """The turn that its owner's seat plays now; empty if there is none."""
    to: tuple[str, ...] = ()
    """The turn that it answers."""
    end: PlanEnd | None = None
    """Why it has ended; None while it is valid."""


def follow(plan: Plan, table: Table) -> Progress:
    """Return the progress of a plan at a table that has changed since. The table accepts the answer, if any.

    Turns count once they are complete, and are compared by the resulting position, so the order of their
    actions doesn't matter.
    """
    if end := _ended_beside_play(plan, table):
        return Progress(plan, end=end)
    before, last = plan.root(table), None
    turn: tuple[str, ...] = ()
    for match in _whole_turns(plan, table):
        assert match.last is not None
        last = match.last.seat
        turn = _turn_between(before, match.current_game)
        number = same_position(before, plan.branches, match.current_game)
        if number is None:
            return Progress(plan, end=PlanEnd("own" if last == plan.seat else "surprise", turn))
        then = plan.branches[number].then
        plan = replace(plan, ply=match.position.ply, branches=then)
        before = match.current_game
        if not then:
            return Progress(plan, end=PlanEnd("played", turn))
    plan = replace(plan, entries=table.entries)
    if last in (None, plan.seat) or table.to_act != plan.seat or before is not table.match.current_game:
        return Progress(plan)
    answer = plan.branches[0].turn
    if not _is_allowed(table, plan.seat, answer):
        return Progress(plan, end=PlanEnd("illegal", answer))
    return Progress(plan, answer, turn)


def _ended_beside_play(plan: Plan, table: Table) -> PlanEnd | None:
    """Return why a plan has ended other than by a turn; None if it hasn't."""
    if table.is_over or len(table.match.games) != plan.game:
        return PlanEnd("over")
    for number in range(plan.entries, len(table.history)):
        if reason := _reason(table, number):
            return PlanEnd(reason)
    if table.match.phase != "play" or table.match.position.ply < plan.ply:
        return PlanEnd("changed")
    return None


def _reason(table: Table, number: int) -> EndReason | None:
    """Return why an entry of a table's log ends all plans there; None if it doesn't."""
    entry = table.history[number]
    if entry.kind == "offer":
        return _BY_OFFER[cast(OfferKind, entry.value)]
    if entry.kind == "accept":  # an offer that was open before the plan was armed
        offers = (each.value for each in reversed(table.history[:number]) if each.kind == "offer")
        return _BY_CONSENT[cast(OfferKind, next(offers))]
    return _BY_KIND[entry.kind]


_BY_OFFER: Mapping[OfferKind, EndReason | None] = {
    "draw": "draw offer",
    "takeback": "takeback offer",
    "pause": None,
    "resume": None,
}
_BY_CONSENT: Mapping[OfferKind, EndReason | None] = {
    "draw": "over",
    "takeback": "takeback",
    "pause": None,
    "resume": None,
}
_BY_KIND: Mapping[str, EndReason | None] = {
    "komi": "changed",
    "colour": "changed",
    "swap": "swap",
    "play": None,
    "resign": "left",
    "decline": None,
    "withdraw": None,
    "takeback": "takeback",
    "abort": "over",
    "rest": None,
    "flag": "left",
    "forfeit": "left",
    "downtime": None,
    "seated": None,
}
"""Every kind of entry -> the reason why it ends plans, or None; new kinds must be added."""


def _whole_turns(plan: Plan, table: Table) -> Iterator[Match]:
    """Yield the match after each turn that was completed since the plan's root."""
    since, match = [], table.match
    while match.position.ply > plan.ply and match.before is not None:
        since.append(match)
        match = match.before
    return (match for match in reversed(since) if is_whole(match.current_game))


def _turn_between(before: MatchGame, after: MatchGame) -> tuple[str, ...]:
    """Return the texts of the actions played, without the automatic ones for resigned players."""
    texts, actions = before.game.action_texts, after.position.actions_since(before.position) or ()
    plies = enumerate(actions, before.position.ply)
    return tuple(texts[action] for ply, action in plies if ply not in after.automatic)


def _is_allowed(table: Table, seat: int, turn: tuple[str, ...]) -> bool:
    """Whether the table accepts all actions of a turn and the turn is complete."""
    try:
        for text in turn:
            table = table.apply(Entry(seat, "play", text, table.at))
    except ValueError:
        return False
    return is_whole(table.match.current_game) or table.is_over
