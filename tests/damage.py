"""Damaged files, and checks of how they are handled."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import kakomi
from kakomi.records import Reading, Record, RecordError, read, write

few_examples = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_PIECES = rb'[ ] { } ( ) ; \ " , : 0 -1 1e9 null ;B[aa] "after":'.split()


def damaged(data: bytes) -> st.SearchStrategy[bytes]:
    """A file with some of its bytes deleted, inserted or replaced."""

    def with_edits(edits: list[tuple[int, int, bytes]]) -> bytes:
        result = data
        for start, length, new in edits:
            at = start % (len(result) + 1)
            result = result[:at] + new + result[at + length :]
        return result

    pieces = st.one_of(st.binary(max_size=4), st.sampled_from(_PIECES))
    edits = st.tuples(st.integers(0, 10_000), st.integers(0, 6), pieces)
    return st.lists(edits, min_size=1, max_size=4).map(with_edits)


def check_read_or_refused(data: bytes, name: str = "rin") -> None:
    """Check that bytes give a RecordError, or a record that can be written and read again."""
    record = read_if_possible(data, name)
    if record:
        game = kakomi.game(record.game, **record.options)
        assert read(write(record, game, "json"), kakomi.game) == record


def read_if_possible(data: bytes, name: str = "rin") -> Record | None:
    """The record, or None if it is refused in one line; `name` is the game of files that don't name
    theirs."""
    try:
        return read(data, kakomi.game, name, Reading())
    except RecordError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1000
        return None
