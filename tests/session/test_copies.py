"""Copies of records."""

from dataclasses import dataclass
from functools import cached_property

import pytest

from kakomi.session import TimeControl
from kakomi.session.clock import changed


@dataclass(frozen=True)
class Pair:
    one: int
    two: int = 2

    @cached_property
    def total(self) -> int:
        return self.one + self.two


def test_a_copy_differs_in_what_is_changed_and_in_what_follows_from_it():
    pair = Pair(1)
    assert pair.total == 3
    copy = changed(pair, two=5)
    assert copy == Pair(1, 5) and copy.total == 6
    assert pair == Pair(1) and pair.total == 3


def test_a_field_that_is_not_there_is_refused():
    with pytest.raises(TypeError, match="three"):
        changed(Pair(1), three=3)


def test_what_checks_its_fields_is_made_anew():
    with pytest.raises(TypeError, match="TimeControl checks its fields"):
        changed(TimeControl(60, 5), initial=-1)
