"""Jobs that the site does again and again."""

import asyncio
import threading

from kakomi.server.operations.periodic_jobs import PeriodicJobs

RUNS = threading.Semaphore(0)


def count() -> None:
    RUNS.release()


def fail() -> None:
    RUNS.release()
    raise OSError("the database is away")


async def _runs(jobs: PeriodicJobs, times: int, *, wake: str = "") -> bool:
    await jobs.start()
    if wake:
        jobs.wake(wake)
    try:
        return all([await asyncio.to_thread(RUNS.acquire, timeout=10) for _ in range(times)])
    finally:
        await jobs.stop()


def test_a_job_is_done_again_and_again():
    assert asyncio.run(_runs(PeriodicJobs({f"{__name__}.count": 0.01}), 3))


def test_a_job_that_fails_is_tried_again(caplog):
    assert asyncio.run(_runs(PeriodicJobs({f"{__name__}.fail": 0.01}), 3))
    assert "fail failed" in caplog.text


def test_a_job_that_is_woken_is_done_before_its_time():
    name = f"{__name__}.count"
    assert asyncio.run(_runs(PeriodicJobs({name: 3600.0}), 1, wake=name))


def test_without_a_site_that_runs_waking_does_nothing():
    PeriodicJobs({"kakomi.server.nothing": 1.0}).wake("kakomi.server.nothing")
