"""What a form asks, as its page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One of several."""

    value: str
    label: str
    is_chosen: bool
    note: str = ""


@dataclass(frozen=True)
class Question:
    """A field of the form."""

    name: str
    label: str
    choices: Sequence[Choice] = ()
    help: str = ""
    other: str | None = None
    """The typed value beside the choices, where one is possible."""
    wrong: str = ""
