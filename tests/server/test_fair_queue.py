"""Who is next: a fair order among clients, moves first."""

from collections.abc import Hashable
from typing import Any

from kakomi.server.engines.fair_queue import FairQueue, Job, Lane


class _Answer:
    """In the place of a future, which needs an event loop."""


def question(client: Hashable, name: str = "", lane: Lane = Lane.MOVE) -> Job:
    answer: Any = _Answer()
    return Job(client, lane, {"name": name}, answer)


def taken(waiting: FairQueue, lane: Lane = Lane.MOVE) -> str:
    found = waiting.take(lane)
    return f"{found.client}{found.request['name']}" if found else "nobody"


def test_an_asker_with_many_questions_waits_like_everybody() -> None:
    waiting = FairQueue()
    for name in "123":
        waiting.put(question("a", name))
    waiting.put(question("b", "1"))
    waiting.put(question("c", "1"))
    order = []
    while (found := waiting.take(Lane.MOVE)) is not None:
        order.append(f"{found.client}{found.request['name']}")
        waiting.ended(found)
    assert order == ["a1", "b1", "c1", "a2", "a3"]


def test_who_has_engines_already_comes_later() -> None:
    waiting = FairQueue()
    for name in "123":
        waiting.put(question("a", name))
    first = waiting.take(Lane.MOVE)
    assert first and taken(waiting) == "a2"
    waiting.put(question("b", "1"))
    assert taken(waiting) == "b1"
    assert taken(waiting) == "a3"
    assert taken(waiting) == "nobody"


def test_lanes_are_apart() -> None:
    waiting = FairQueue()
    waiting.put(question("a", "1", Lane.ANALYSIS))
    assert taken(waiting) == "nobody"
    waiting.put(question("a", "2"))
    assert (waiting.count(), waiting.count(Lane.MOVE), waiting.count(Lane.ANALYSIS)) == (2, 1, 1)
    assert taken(waiting, Lane.ANALYSIS) == "a1"


def test_what_is_removed_is_not_taken() -> None:
    waiting = FairQueue()
    first, second = question("a", "1"), question("a", "2")
    waiting.put(first)
    waiting.put(second)
    assert waiting.remove(first)
    assert not waiting.remove(first)
    assert taken(waiting) == "a2"
    assert not waiting.remove(second)
    assert waiting.count() == 0


def test_what_is_put_back_comes_before_the_askers_others() -> None:
    waiting = FairQueue()
    waiting.put(question("a", "1"))
    waiting.put(question("a", "2"))
    first = waiting.take(Lane.MOVE)
    assert first
    waiting.put_back(first)
    waiting.ended(first)
    assert taken(waiting) == "a1"


def test_who_has_just_had_a_turn_comes_later() -> None:
    waiting = FairQueue()
    waiting.put(question("a", "1"))
    first = waiting.take(Lane.MOVE)
    assert first
    for client in ("a", "b", "c"):
        waiting.put(question(client, "2"))
    waiting.ended(first)
    assert [taken(waiting) for _ in range(4)] == ["b2", "c2", "a2", "nobody"]
