"""Seeks that are accepted by two people at the same moment, each of whom clicks twice, in four processes."""

import multiprocessing
import os
import time
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from typing import Any

CLICKS = 4
"""Processes: two people, each with two clicks."""
CHUNK = 500


@dataclass
class Toll:
    """What came of it."""

    seeks: int
    games: int
    tables: int
    answered_alike: int
    """Seeks of which both clicks of each person had the same answer, and one person alone a game."""
    seconds: float


def accept_all(variables: dict[str, str], seeks: int) -> Toll:
    """Accept so many seeks of a site, all clicks for a seek at once."""
    os.environ.update(variables)
    _set_up()
    spawning = multiprocessing.get_context("spawn")
    alike, began = 0, time.perf_counter()
    for first in range(0, seeks, CHUNK):
        pairs = _made(first, min(CHUNK, seeks - first))
        barrier, answers = spawning.Barrier(CLICKS), spawning.Queue()
        clicks = [
            spawning.Process(target=_click, args=(variables, number, pairs, barrier, answers))
            for number in range(CLICKS)
        ]
        for click in clicks:
            click.start()
        found: dict[int, list[str | None]] = dict(answers.get() for _ in clicks)
        for click in clicks:
            click.join()
        alike += sum(
            _is_alike([found[number][seek] for number in range(CLICKS)]) for seek in range(len(pairs))
        )
        print(f"{first + len(pairs)} seeks", flush=True)
    from kakomi.server.lobby.models import SeekGame
    from kakomi.server.tables.models import Table

    took = time.perf_counter() - began
    return Toll(seeks, SeekGame.objects.count(), Table.objects.count(), alike, took)


def _is_alike(tables: list[str | None]) -> bool:
    one, other, one_again, other_again = tables
    return one == one_again and other == other_again and (one is None) != (other is None)


def _set_up() -> None:
    from kakomi.server.configuration import complete_environment

    complete_environment()
    import django

    django.setup()


def _made(first: int, count: int) -> list[tuple[str, int, int]]:
    """Seeks, each with the numbers of two who want to accept it; over days, as nobody has a page open."""
    from kakomi.server.lobby import services
    from kakomi.server.lobby.models import Seek
    from kakomi.server.lobby.pairing import CONTROLS
    from kakomi.server.lobby.services import Wish
    from kakomi.server.lobby.terms import SeekTerms

    pairs = []
    for number in range(first, first + count):
        owner, one, other = (_user(f"{name}{number}") for name in ("Ada", "Bob", "Eve"))
        wish = Wish(
            Seek.Kind.CHALLENGE, SeekTerms("ren", CONTROLS["days"], sizes=(8,)), invitees=[one, other]
        )
        pairs.append((services.create(owner, wish, "seek").seek.code, one.pk, other.pk))
    return pairs


def _user(name: str) -> Any:
    """The guest of somebody with an account."""
    from kakomi.server.accounts.models import Guest, User

    return User.objects.create(username=name, guest=Guest.objects.create()).guest


def _click(
    variables: dict[str, str],
    number: int,
    pairs: list[tuple[str, int, int]],
    barrier: Barrier,
    answers: Any,
) -> None:
    os.environ.update(variables)
    _set_up()
    from kakomi.server.accounts.models import Guest
    from kakomi.server.lobby import services
    from kakomi.session import Refused

    tables: list[str | None] = []
    for code, *people in pairs:
        guest = Guest.objects.get(pk=people[number % 2])
        barrier.wait()
        try:
            table = services.accept(code, guest).table
        except Refused:
            table = None
        tables.append(table.code if table else None)
    answers.put((number, tables))
