"""The examples of the protocol's documentation and the golden sessions, replayed."""

import pytest

from protocol.transcripts import CONTRACT, GOLDEN, Session, comparable, sessions, shape
from sampling import sample

CASES = [
    pytest.param(session, id=f"{path.stem}-{number}")
    for path in [CONTRACT, *GOLDEN]
    for number, session in enumerate(sessions(path.read_text(encoding="utf-8")), 1)
]


@pytest.mark.parametrize("session", sample(CASES, 3))
def test_a_session_goes_as_written_down(session: Session) -> None:
    assert comparable(session.replayed()) == comparable(session)


def test_there_are_sessions() -> None:
    assert len(CASES) >= 8


def test_shapes_differ_where_they_should() -> None:
    assert shape({"a": [1, 2], "b": None}) == shape({"a": [0.5], "b": None})
    assert shape({"a": 1}) != shape({"b": 1})
    assert shape({"a": True}) != shape({"a": 1})
