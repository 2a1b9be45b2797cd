"""Options of commands with parallel workers: how many, and where."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kakomi.farm import Farm

MOST_WORKERS = 1 << 16


def worker_options(what: str) -> Callable[[Any], Any]:
    """Add `--jobs` and `--ray`. `what` names the units of work, such as "Games"."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(1, MOST_WORKERS),
        metavar="N",
        help=f"{what} at a time. [default: one per core]",
    )
    ray = click.option(
        "--ray",
        metavar="ADDRESS",
        help="Use a Ray cluster: HOST:PORT of its head, or auto on one of its machines (docs/farm.md).",
    )
    return lambda command: jobs(ray(command))


def open_farm_from_options(jobs: int | None, ray: str | None) -> "Farm":
    """Open the farm that the options describe. Raises ClickException if there is none at the address."""
    from kakomi.farm import FarmError, open_farm

    try:
        return open_farm(jobs, ray)
    except FarmError as error:
        raise click.ClickException(str(error)) from None
