"""The commands that staff give in a case, and their parsing from forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kakomi.core.i18n import lazy_message
from kakomi.server.moderation.models import TEXT_LENGTH
from kakomi.server.site.database import digest_of_form
from kakomi.server.site.whole_numbers import whole_number
from kakomi.session import Refused

LONGEST_DAYS = 3650
KEY_LENGTH = 60


@dataclass(frozen=True)
class Mute:
    """Bar a person from writing messages for some days."""

    days: int


@dataclass(frozen=True)
class Suspend:
    """Bar a person from beginning games with others, and from writing messages, for some days."""

    days: int


@dataclass(frozen=True)
class DemandName:
    """Demand another name, and bar a person from beginning games with others until they choose one."""


@dataclass(frozen=True)
class Annul:
    """Annul the rating of one of their games, for everybody in it."""

    code: str


@dataclass(frozen=True)
class Lift:
    """Lift a measure, by its number."""

    number: int


@dataclass(frozen=True)
class AnswerAppeal:
    """Grant an appeal, which lifts its measure, or refuse it. `number` is the measure's."""

    number: int
    is_granted: bool


@dataclass(frozen=True)
class Close:
    """Close the case, and tell its reporters whether staff have acted."""


Command: TypeAlias = Mute | Suspend | DemandName | Annul | Lift | AnswerAppeal | Close


@dataclass(frozen=True)
class Submission:
    """A submitted command."""

    command: Command
    reason: str
    key: str
    """The idempotency key."""
    seen: int
    """The version of the case that the sender has seen."""


def submission_of_form(form: Mapping[str, str]) -> Submission:
    """Parse a command from a form. Raises Refused with what is missing."""
    return Submission(
        _command(form), reason_of(form), key_of(form), _number(form.get("seen", ""), most=10**9)
    )


def reason_of(form: Mapping[str, str]) -> str:
    """The reason in a form. Raises Refused if it is missing or too long."""
    reason = " ".join(form.get("reason", "").split())
    if not 0 < len(reason) <= TEXT_LENGTH:
        raise Refused(
            lazy_message("Enter a reason of up to {most} characters. It will be stored.", most=TEXT_LENGTH)
        )
    return reason


def key_of(form: Mapping[str, str]) -> str:
    """The key of a form combined with its content, so that a changed form is a new request.

    Raises Refused if the form has no valid key.
    """
    key = form.get("key", "")
    if not 0 < len(key) <= KEY_LENGTH:
        raise Refused(lazy_message("This form is incomplete. Reload the page."))
    return digest_of_form(form)


def _command(form: Mapping[str, str]) -> Command:
    match form.get("kind", ""):
        case "mute":
            return Mute(_days(form))
        case "suspend":
            return Suspend(_days(form))
        case "name":
            return DemandName()
        case "annul":
            return Annul(form.get("code", "").strip()[:20])
        case "lift":
            return Lift(_number(form.get("number", "")))
        case "grant":
            return AnswerAppeal(_number(form.get("number", "")), is_granted=True)
        case "refuse":
            return AnswerAppeal(_number(form.get("number", "")), is_granted=False)
        case "close":
            return Close()
        case _:
            raise Refused(lazy_message("Choose an action."))


def _days(form: Mapping[str, str]) -> int:
    return _number(form.get("days", ""), most=LONGEST_DAYS)


def _number(text: str, most: int = 10**18 - 1) -> int:
    number = whole_number(text.strip(), digits=18)
    if number is None or not 1 <= number <= most:
        raise Refused(lazy_message("Enter a number from 1 to {most}.", most=most))
    return number
