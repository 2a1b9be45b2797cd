"""What messages say of values: what somebody wrote, what a number may be, who won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kakomi.core.i18n import lazy_join, lazy_message

_MOST = 42


def truncated_repr(value: Any) -> str:
    """A value as Python writes it, cut off where it gets long."""
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than a few thousand digits
        shown = f"a very long {type(value).__name__}"
    return shown if len(shown) <= _MOST else shown[: _MOST - 3] + "..."


def range_in_words(allowed: Sequence[int]) -> str:
    """A range in words: `4 to 18, even`, or the values themselves."""
    if isinstance(allowed, range) and len(allowed) > 3:
        ends = {"least": allowed[0], "most": allowed[-1]}
        if allowed.step == 1:
            return lazy_message("{least} to {most}", **ends)
        if allowed.step == 2 and allowed[0] % 2 == 0:
            return lazy_message("{least} to {most}, even", **ends)
        if allowed.step == 2:
            return lazy_message("{least} to {most}, odd", **ends)
    *first, last = [str(value) for value in allowed]
    return lazy_message("{values} or {last}", values=", ".join(first), last=last) if first else last


def names_in_words(names: Sequence[str]) -> str:
    """Several names: `Red, Blue and Green`; empty if there are none."""
    *first, last = names or [""]
    if not first:
        return lazy_join("", [last])  # a name that is no text of ours is not translated
    return lazy_message("{first} and {last}", first=lazy_join(", ", first), last=last)


def winners_in_words(winners: Sequence[str], players: int) -> str:
    """Who has won, as a sentence without its stop. All of the players: a draw."""
    if len(winners) == players:
        return lazy_message("A draw")
    if len(winners) > 1:
        return lazy_message("{names} share the win", names=names_in_words(winners))
    return lazy_message("{name} wins", name=winners[0])
