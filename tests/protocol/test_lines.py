"""Splitting bytes that arrive in arbitrary pieces into lines."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakomi.protocol.lines import lines_of


def reader(pieces: list[bytes]) -> Callable[[int], bytes]:
    """A function that returns the pieces one after another, then nothing."""
    waiting = iter([piece for piece in pieces if piece])
    return lambda n: next(waiting, b"")


@given(st.lists(st.binary(max_size=8).map(lambda b: b.replace(b"a", b"\n")), max_size=8), st.integers(0, 6))
def test_lines_are_those_of_the_whole(pieces: list[bytes], most: int) -> None:
    *ended, rest = b"".join(pieces).split(b"\n")
    expected = [line if len(line) <= most else None for line in [*ended, *([rest] if rest else [])]]
    assert list(lines_of(reader(pieces), most)) == expected


def test_a_line_without_end_is_told_before_it_ends() -> None:
    lines = lines_of(lambda n: b"x" * n, most=100_000)
    assert next(lines) is None


@pytest.mark.parametrize("error", [OSError(5, "no terminal"), OSError(9, "closed")])
def test_a_reader_that_fails_is_at_its_end(error: OSError) -> None:
    def read(n: int) -> bytes:
        raise error

    assert list(lines_of(read)) == []
