"""Work that leaves time to people."""

import time

import pytest

from kakomi.server.pacing import LONGEST_PAUSE, paced


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that were made, none of which is waited for; a piece takes as long as its number says."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


def work(monkeypatch, pieces: list[float], share: float) -> list[float]:
    worked = [0.0]
    monkeypatch.setattr("kakomi.server.pacing.time.monotonic", lambda: worked[-1])
    for piece in paced(pieces, share):
        worked.append(worked[-1] + piece)
    return worked


def test_a_third_of_the_time_is_taken_and_nothing_is_waited_for_at_the_end(monkeypatch, pauses):
    work(monkeypatch, [0.01, 0.02, 0.04], 1 / 3)
    assert pauses == pytest.approx([0.0, 0.02, 0.04])


def test_a_long_piece_holds_the_rest_up_for_a_while_only(monkeypatch, pauses):
    work(monkeypatch, [100.0, 1.0], 1 / 3)
    assert pauses == [0.0, LONGEST_PAUSE]
