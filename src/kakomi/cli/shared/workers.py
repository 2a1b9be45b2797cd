"""Options of commands that have many workers: how many, and where."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kakomi.farm import Farm

MOST_WORKERS = 1 << 16


def worker_options(what: str) -> Callable[[Any], Any]:
    """Adds `--jobs` and `--ray`; `what` the workers do one of at a time: "Games", say."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(1, MOST_WORKERS),
        metavar="N",
        help=f"{what} at a time; default one for each core, of this machine or of the cluster.",
    )
    ray = click.option(
        "--ray",
        metavar="ADDRESS",
        help="Work on a Ray cluster: HOST:PORT of its head, or auto on one of its machines (docs/farm.md).",
    )
    return lambda command: jobs(ray(command))


def opened(jobs: int | None, ray: str | None) -> "Farm":
    """The farm that was asked for. Raises ClickException in a line if there is none at the address."""
    from kakomi.farm import FarmError, open_farm

    try:
        return open_farm(jobs, ray)
    except FarmError as error:
        raise click.ClickException(str(error)) from None
