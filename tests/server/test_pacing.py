"""Work that leaves time to people."""

import time

import pytest

from kakomi.server.site.pacing import IDLE_AFTER, IDLE_SECONDS, LONGEST_PAUSE, Traffic, paced


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that were made, none of which is waited for; a piece takes as long as its number says."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


def work(monkeypatch, pieces: list[float], share: float) -> list[float]:
    worked = [0.0]
    monkeypatch.setattr("kakomi.server.site.pacing.time.monotonic", lambda: worked[-1])
    for piece in paced(pieces, share):
        worked.append(worked[-1] + piece)
    return worked


def test_a_third_of_the_time_is_taken_and_nothing_is_waited_for_at_the_end(monkeypatch, pauses):
    work(monkeypatch, [0.01, 0.02, 0.04], 1 / 3)
    assert pauses == pytest.approx([0.0, 0.02, 0.04])


def test_a_long_piece_holds_the_rest_up_for_a_while_only(monkeypatch, pauses):
    work(monkeypatch, [100.0, 1.0], 1 / 3)
    assert pauses == [0.0, LONGEST_PAUSE]


def test_background_work_rests_while_nobody_is_there(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("kakomi.server.site.pacing.time.monotonic", lambda: now[0])
    traffic = Traffic()

    def interval_after(seconds: float) -> float:
        now[0] += seconds
        return traffic.interval(0.25)

    assert interval_after(3600) == 0.25  # no site runs
    with traffic.site():
        assert [interval_after(1), interval_after(IDLE_AFTER)] == [0.25, IDLE_SECONDS]
        assert traffic.interval(60) == 60
        with traffic.request():  # a stream of news
            assert interval_after(3600) == 0.25
        assert [interval_after(1), interval_after(IDLE_AFTER)] == [0.25, IDLE_SECONDS]
