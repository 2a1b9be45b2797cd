"""What browsers send about tables, checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.session import Refused

_KEY = re.compile(r"[\w-]{8,40}", re.ASCII)
_LONGEST = 200
"""Characters of a value, and actions of a turn."""

_NUMBERS = {"komi", "colour"}
"""Kinds whose value is a number."""
_WITHIN_A_TURN = {"touch", "untouch", "confirm"}
_AT_A_TABLE = {"komi", "colour", "swap", "resign", "offer", "accept", "decline", "withdraw", "takeback"}
_AFTERWARDS = {"rematch"}
KINDS = _WITHIN_A_TURN | _AT_A_TABLE | _AFTERWARDS
"""What people may do; the rest is the site's."""


@dataclass(frozen=True)
class Deed:
    """What somebody wants to do, and what they saw when they decided to."""

    kind: str
    value: int | str | None
    base: int
    """How many entries the table had."""
    seen: tuple[str, ...]
    """The turn put together so far."""
    key: str

    @staticmethod
    def of(form: Mapping[str, str]) -> "Deed":
        """A deed from a form. Raises Refused for what can't be one."""
        kind, _, value = form.get("kind", "").partition(" ")  # a button has one value: `offer draw`
        if kind in _NUMBERS:
            value = value or form.get("value", "")
        key, base = form.get("key", ""), form.get("base", "")
        seen = tuple(form.get("seen", "").split())
        if kind not in KINDS:
            raise Refused(lazy_message("{kind} can't be done at a table", kind=repr(kind[:20])))
        if not _KEY.fullmatch(key):
            raise Refused(lazy_message("the form's 'key' should be 8 to 40 letters, digits, - and _"))
        if not re.fullmatch(r"\d{1,9}", base, re.ASCII) or len(seen) > _LONGEST:
            raise Refused(lazy_message("the form's 'base' should be how many entries the table has"))
        return Deed(kind, _value(kind, value), int(base), seen, key)


def _value(kind: str, text: str) -> int | str | None:
    if kind not in _NUMBERS:
        return text[:_LONGEST] or None
    if not re.fullmatch(r"\d{1,6}", text.strip(), re.ASCII):
        raise Refused(
            lazy_message("the {kind} should be a whole number, not {text}", kind=kind, text=repr(text[:20]))
        )
    return int(text)
