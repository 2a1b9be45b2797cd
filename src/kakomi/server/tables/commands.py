"""Typed commands at a table, sent by pages and programs alike, and the turn they build up.

A turn of several actions is saved as a draft, step by step, until its player confirms it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from kakomi.core import IllegalAction, Position
from kakomi.core.i18n import lazy_message
from kakomi.server.site.database import digest_of
from kakomi.server.site.exceptions import Conflict
from kakomi.server.tables import models
from kakomi.session import Entry, Refused, Table
from kakomi.session.events import OfferKind

Value: TypeAlias = int | str | None


@dataclass(frozen=True)
class Touch:
    """Add an action to the turn."""

    action: str
    seen: tuple[str, ...] = ()
    """The unfinished turn as the player saw it."""


@dataclass(frozen=True)
class Untouch:
    """Take back the last action of a turn that isn't sent yet."""

    seen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Confirm:
    """Send a turn, all of its actions or none."""

    actions: tuple[str, ...]


@dataclass(frozen=True)
class Offer:
    """Offer a draw, a takeback or a pause of the clocks (or their restart)."""

    kind: OfferKind


@dataclass(frozen=True)
class Accept:
    """Accept the open offer."""


@dataclass(frozen=True)
class Decline:
    """Decline the open offer."""


@dataclass(frozen=True)
class Withdraw:
    """Withdraw the sender's own offer."""


@dataclass(frozen=True)
class TakeBack:
    """Take back the last turn where no consent is needed."""


@dataclass(frozen=True)
class NameKomi:
    """Name the komi if it is negotiated."""

    komi: int


@dataclass(frozen=True)
class ChooseColour:
    """Choose a colour after the komi was named."""

    player: int


@dataclass(frozen=True)
class Swap:
    """Swap colours instead of playing."""


@dataclass(frozen=True)
class Resign:
    """Resign the game."""


@dataclass(frozen=True)
class Abort:
    """Abort a game in which somebody hasn't made a first decision yet."""

    why: str
    """One of `session.events.ABORTS`."""


@dataclass(frozen=True)
class Rematch:
    """Request a rematch, or agree to it."""


@dataclass(frozen=True)
class WishListing:
    """Agree to show the game in the public list, or withdraw that consent."""

    wanted: bool


@dataclass(frozen=True)
class Decide:
    """Play for a bot what the engine in its opponent's browser has found."""

    choice: str
    """An action, or `swap`; empty if that engine can't find any."""


TurnCommand: TypeAlias = Touch | Untouch | Confirm
LoggedCommand: TypeAlias = (
    Offer | Accept | Decline | Withdraw | TakeBack | NameKomi | ChooseColour | Swap | Resign | Abort
)
"""A command that becomes one entry of the log."""
TableCommand: TypeAlias = TurnCommand | LoggedCommand
SideCommand: TypeAlias = Rematch | WishListing
"""A command outside the match: it neither depends on the latest position nor changes it."""
Command: TypeAlias = TableCommand | SideCommand | Decide


@dataclass(frozen=True)
class Submission:
    """A command as it was sent, with the state that its sender had seen."""

    command: Command
    base: int
    """The number of entries that the sender has seen."""
    key: str
    """The sender's idempotency key: a command sent again under the same key isn't executed again."""

    @property
    def digest(self) -> str:
        """A digest of the command and its base, to detect another command under the same key."""
        return digest_of(self.command, self.base)


def logged(command: LoggedCommand) -> tuple[str, Value]:
    """The kind and the value of a command's entry in the log."""
    match command:
        case Offer(kind):
            return "offer", kind
        case NameKomi(komi):
            return "komi", komi
        case ChooseColour(player):
            return "colour", player
        case Abort(why):
            return "abort", why
        case _:
            return _KINDS[type(command)], None


_PLAIN: dict[str, type[Accept | Decline | Withdraw | TakeBack | Swap | Resign]] = {
    "accept": Accept,
    "decline": Decline,
    "withdraw": Withdraw,
    "takeback": TakeBack,
    "swap": Swap,
    "resign": Resign,
}
_KINDS: dict[type, str] = {command: kind for kind, command in _PLAIN.items()}


def logged_command(kind: str, value: Value) -> LoggedCommand:
    """The command that is logged with this kind and value. Raises Refused if there is none."""
    Entry(0, kind, value)  # raises Refused for a value that the kind can't have
    match kind:
        case "offer":
            return Offer(cast(OfferKind, value))
        case "komi":
            return NameKomi(cast(int, value))
        case "colour":
            return ChooseColour(cast(int, value))
        case "abort":
            return Abort(str(value))
        case _ if kind in _PLAIN:
            return _PLAIN[kind]()
    raise _impossible(kind)


_KEY = re.compile(r"[\w-]{8,40}", re.ASCII)
_LONGEST = 200
"""The most characters of a value, and the most actions of a turn."""
_FIELDS = {"komi": "value", "colour": "value", "touch": "written"}
"""Kinds whose value may be in a separate field, and the field."""


def submission_of_form(form: Mapping[str, str]) -> Submission:
    """The command of a button on a table's page. Raises Refused for anything else.

    Fields: `kind`, a button's kind and value such as `offer draw`; `value` for a komi or colour; `written`
    for an action that was typed instead of clicked; `seen`, the turn so far; `base` and `key`.
    This doesn't use a Django form, since building one would take longer than the rest of handling a click.
    """
    kind, _, value = form.get("kind", "").partition(" ")
    key, base, seen = form.get("key", ""), form.get("base", ""), tuple(form.get("seen", "").split())
    if not value and (field := _FIELDS.get(kind)):
        value = form.get(field, "").strip()
    command = _command_of_form(kind, value, seen)
    if not _KEY.fullmatch(key):
        raise Refused(lazy_message("'key' must be 8 to 40 letters, digits, - or _"))
    if not re.fullmatch(r"\d{1,9}", base, re.ASCII) or len(seen) > _LONGEST:
        raise Refused(lazy_message("'base' must be the table’s number of entries"))
    return Submission(command, int(base), key)


def _command_of_form(kind: str, value: str, seen: tuple[str, ...]) -> Command:
    match kind:
        case "touch":
            if not value:
                raise Refused(lazy_message("enter a move, such as the name of a point"))
            return Touch(value[:_LONGEST], seen)
        case "untouch":
            return Untouch(seen)
        case "confirm":
            return Confirm(seen)
        case "decide":
            return Decide(value[:_LONGEST])
        case "rematch":
            return Rematch()
        case "list" | "unlist":
            return WishListing(kind == "list")
        case "komi" | "colour":
            return logged_command(kind, _number(kind, value))
        case _ if kind in ("offer", "abort") or kind in _PLAIN:
            return logged_command(kind, value[:_LONGEST] or None)
    raise _impossible(kind)


def _number(kind: str, text: str) -> int:
    if not text.strip():
        raise Refused(lazy_message("{kind} is missing: enter a whole number", kind=kind))
    if not re.fullmatch(r"\d{1,6}", text.strip(), re.ASCII):
        raise Refused(
            lazy_message("{kind} must be a whole number, not {text}", kind=kind, text=repr(text[:20]))
        )
    return int(text)


def _impossible(kind: str) -> Refused:
    return Refused(lazy_message("{kind} isn’t a table command", kind=repr(kind[:20])))


@dataclass(frozen=True)
class Turn:
    """The unfinished turn of the seat to act, on top of the table."""

    actions: tuple[str, ...]
    position: Position
    """The position with the actions on the board."""
    base: Position

    @property
    def is_begun(self) -> bool:
        """Whether there is anything to take back or to confirm."""
        return bool(self.actions)

    @property
    def begun_at(self) -> int:
        """The number of actions before the turn that the next action is part of."""
        return self.position.ply - len(self.position.turn)

    @property
    def is_complete(self) -> bool:
        """Whether the turn is complete and only has to be confirmed."""
        return self.is_begun and self.position.is_between_turns


def turn_of(table: Table, seat: models.Seat | None) -> Turn:
    """The turn that a seat has begun; empty if it hasn't, or if the game has moved on since."""
    base = table.match.position
    if seat is None or not table.has_seen(seat.draft_base) or table.to_act != seat.number:
        return Turn((), base, base)
    return build_turn(base, seat.draft)


def build_turn(base: Position, actions: Sequence[str]) -> Turn:
    """Play a turn's actions on a position. Raises Refused for too many, IllegalAction for illegal ones."""
    position = base
    for action in actions:
        if position.is_over or (position is not base and not position.turn):
            raise Refused(lazy_message("your move is complete: confirm it or undo a step"))
        position = position.play(action)
    return Turn(tuple(actions), position, base)


def extend_turn(turn: Turn, action: str) -> Turn:
    """A turn with one more action. A click on a point without a legal action means the only legal action of
    the cells around it, if there is exactly one. Raises the same errors as `build_turn`."""
    try:
        return build_turn(turn.base, (*turn.actions, action))
    except IllegalAction:
        around = _actions_around(turn.position, action)
        if len(around) != 1:
            raise
        return build_turn(turn.base, (*turn.actions, *around))


def _actions_around(position: Position, point: str) -> list[str]:
    """The legal actions of the cells that a point belongs to."""
    geometry, actions = position.game.geometry, position.game.actions
    cells = {cell.name for cell in geometry.cells if point in (geometry.names[at] for at in cell.points)}
    if not cells:
        return []
    return [actions[number].text for number in position.legal_actions() if actions[number].cell in cells]


class Stale(Conflict):
    """The position has changed since the sender saw it, so their command isn't executed (status 409)."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message("The position has changed since you loaded it. Check the board and try again.")
        )
