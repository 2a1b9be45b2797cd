"""What one of staff asks for in a case, and the form by which they do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kakomi.core.i18n import lazy_message
from kakomi.server.database import digest_of_form
from kakomi.server.moderation.models import TEXT_LENGTH
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused

LONGEST_DAYS = 3650
KEY_LENGTH = 60


@dataclass(frozen=True)
class Mute:
    """Let somebody write nothing at tables for some days."""

    days: int


@dataclass(frozen=True)
class Suspend:
    """Let somebody begin no games with others for some days."""

    days: int


@dataclass(frozen=True)
class DemandName:
    """Ask for another name, and let somebody begin no games with others until they have chosen one."""


@dataclass(frozen=True)
class Annul:
    """Have a game of theirs count for nobody's rating."""

    code: str


@dataclass(frozen=True)
class Lift:
    """Take a measure back, by its number."""

    number: int


@dataclass(frozen=True)
class AnswerAppeal:
    """Grant an appeal, by the number of its measure, which lifts that; or refuse it."""

    number: int
    is_granted: bool


@dataclass(frozen=True)
class Close:
    """Close the case; all who have reported hear whether something was done."""


Command: TypeAlias = Mute | Suspend | DemandName | Annul | Lift | AnswerAppeal | Close


@dataclass(frozen=True)
class Submission:
    """A command as it was sent."""

    command: Command
    reason: str
    key: str
    """The same key is the same deed, however often it is sent."""
    seen: int
    """The version of the case that its sender has seen."""


def submission_of_form(form: Mapping[str, str]) -> Submission:
    """The command of a form. Raises Refused, saying what is missing."""
    return Submission(
        _command(form), reason_of(form), key_of(form), _number(form.get("seen", ""), most=10**9)
    )


def reason_of(form: Mapping[str, str]) -> str:
    """The reason in a form. Raises Refused without one."""
    reason = " ".join(form.get("reason", "").split())
    if not 0 < len(reason) <= TEXT_LENGTH:
        raise Refused(
            lazy_message("Write the reason, in {most} characters at most: it is kept.", most=TEXT_LENGTH)
        )
    return reason


def key_of(form: Mapping[str, str]) -> str:
    """The key of a form and of what was filled in: changed and sent again it asks for something else.

    Raises Refused without one.
    """
    key = form.get("key", "")
    if not 0 < len(key) <= KEY_LENGTH:
        raise Refused(lazy_message("This form is not complete: load the page again."))
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
            raise Refused(lazy_message("Choose what should be done."))


def _days(form: Mapping[str, str]) -> int:
    return _number(form.get("days", ""), most=LONGEST_DAYS)


def _number(text: str, most: int = 10**18 - 1) -> int:
    number = whole_number(text.strip(), digits=18)
    if number is None or not 1 <= number <= most:
        raise Refused(lazy_message("Write a number from 1 to {most}.", most=most))
    return number
