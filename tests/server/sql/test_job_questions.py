"""Whether jobs have anything to do is asked once for all of them."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import jobs as lobby_jobs
from kakomi.server.lobby import services
from kakomi.server.lobby.pairing import PAIRING_SCHEDULE
from kakomi.server.operations.periodic_jobs import named_jobs
from kakomi.server.site import clock
from kakomi.server.site.jobs import has_work_in, jobs_with_work
from kakomi.server.tables.models import Vacation
from server.due_jobs import run_jobs
from server.lobby_people import somebody, sought

pytestmark = pytest.mark.django_db

BEGUN: list[str] = []
SOON = 60.0


@has_work_in(lambda now: Guest.objects.filter(name="Ada"), lambda now: Guest.objects.filter(name="Bob"))
def for_ada_or_bob() -> None:
    BEGUN.append("for_ada_or_bob")


@has_work_in(lambda now: Vacation.objects.filter(start__lte=now + SOON, is_automatic=False))
def for_vacations() -> None:
    BEGUN.append("for_vacations")


def always() -> None:
    BEGUN.append("always")


OWN = [f"{__name__}.{job}" for job in ("for_ada_or_bob", "for_vacations", "always")]


def with_something_to_do() -> list[str]:
    return [name.rpartition(".")[2] for name in jobs_with_work(OWN)]


def test_a_job_is_begun_when_there_are_rows_for_it() -> None:
    assert with_something_to_do() == ["always"]
    bob = Guest.objects.create(name="Bob")
    assert with_something_to_do() == ["for_ada_or_bob", "always"]
    BEGUN.clear()
    run_jobs(OWN)
    assert BEGUN == ["for_ada_or_bob", "always"]
    bob.delete()
    assert with_something_to_do() == ["always"]


@pytest.mark.parametrize("begin", [1.0, 0.0, 1.7e9])
def test_rows_may_depend_on_the_moment(begin: float) -> None:
    Vacation.objects.create(guest=Guest.objects.create(), start=begin + SOON, end=begin + 1000)
    for now, expected in ((begin - 0.5, ["always"]), (begin, ["for_vacations", "always"])):
        with clock.time_from(partial(float, now)):
            assert with_something_to_do() == expected


def test_one_statement_asks_for_all_jobs() -> None:
    names = list(named_jobs())
    with clock.time_from(lambda: 5.0):
        jobs_with_work(names)  # makes it ready
        with CaptureQueriesContext(connection) as statements:
            found = jobs_with_work(names)
    assert len(statements) == 1
    assert not {name for name in found if "lobby" in name or "tables" in name} - {
        "kakomi.server.lobby.jobs.note_presence"
    }


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often somebody has looked for pairs since this was asked last."""
    found: list[str] = []

    def pair(game: str, pace: str) -> float:
        found.append(f"{game} {pace}")
        return float("inf")

    monkeypatch.setattr("kakomi.server.lobby.pairing.merge_compatible", pair)

    def count() -> int:
        lobby_jobs.pair_waiting()
        looked = len(found)
        found.clear()
        return looked

    return count


def test_one_looks_for_pairs_again_when_something_has_changed(looks: Callable[[], int]) -> None:
    ada, bob = somebody(account=True), somebody(account=True)
    sought(ada)
    assert looks() == 0, "nobody else waits"
    later = sought(bob, game="ren")
    assert [looks(), looks()] == [1, 0]
    services.withdraw(later.code, bob)
    sought(bob, "other", game="ren")
    assert [looks(), looks()] == [1, 0]
    PAIRING_SCHEDULE.reset()
    assert looks() == 1
