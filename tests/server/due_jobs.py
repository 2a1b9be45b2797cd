"""Running the site's periodic jobs at once, in tests and simulations."""

from collections.abc import Iterable

from kakomi.server.operations.periodic_jobs import named_jobs, run_job
from kakomi.server.site.jobs import jobs_with_work


def run_jobs(names: Iterable[str] | None = None) -> None:
    """Run the given jobs, or all, one after the other. A job may create work for the next one."""
    for name in named_jobs() if names is None else names:
        if jobs_with_work([name]):
            run_job(name)
