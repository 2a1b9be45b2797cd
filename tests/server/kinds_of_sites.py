"""The kinds of sites that tests run on: one process or two, on SQLite, or on PostgreSQL and Redis."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from server.ledgers import Ledger, in_file, on_server
from server.services import POSTGRES, REDIS, is_there, require
from server.sites import Site, running


@dataclass(frozen=True)
class Kind:
    """A way to run a site."""

    processes: int
    on_postgres: bool

    def __str__(self) -> str:
        return f"{self.processes}-on-{'postgres' if self.on_postgres else 'sqlite'}"

    @property
    def is_possible(self) -> bool:
        """Whether the services that it needs are there."""
        return not self.on_postgres or (is_there(POSTGRES) and is_there(REDIS))

    def require_services(self) -> None:
        """Skip the test that runs if something is missing here; in CI it fails."""
        if self.on_postgres:
            require(POSTGRES)
            require(REDIS)

    @contextlib.contextmanager
    def running(self, folder: Path) -> Iterator[tuple[list[Site], Ledger]]:
        """The processes, which answer, and their database."""
        with on_server(POSTGRES) if self.on_postgres else in_file(folder) as ledger:
            environment = {"KAKOMI_DATABASE_URL": ledger.url}
            if self.on_postgres:
                environment["KAKOMI_REDIS_URL"] = REDIS
            sites = [Site(folder, environment) for _ in range(self.processes)]
            with running(*sites):
                yield sites, ledger


KINDS = [Kind(processes, on_postgres) for on_postgres in (False, True) for processes in (1, 2)]
PAIRS = [kind for kind in KINDS if kind.processes == 2]
