"""A site on whose clock time can be moved forward: a real server process, which is told what time it is.

Run as a program it is that process, `python -m server.clocked_site CLOCK PORT`.
"""

import math
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from season.shared_clock import SharedClock
from server.sites import Site

TESTS = Path(__file__).resolve().parent.parent
MOST_SECONDS = 0.5
"""Between two runs of a periodic job: what falls due in a skipped night is done when it is over."""


class ClockedSite(Site):
    """Its clock is ahead of ours by as much as was skipped, and goes on by itself."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
        super().__init__(folder, {**(environment or {}), "PYTHONPATH": os.pathsep.join(paths)})
        self._path = folder / "clock"
        self._ahead = SharedClock(self._path)

    @property
    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-m", "server.clocked_site", str(self._path), str(self.port)]

    def now(self) -> float:
        """The time there."""
        return time.time() + self._ahead.now()

    def skip(self, seconds: float) -> None:
        """Go on to a later moment. The site takes it for time in which it was up."""
        self._ahead.set(self._ahead.now() + seconds)

    def let_work(self) -> None:
        """Give it time for what is due: nothing tells that there was nothing to do."""
        time.sleep(4 * MOST_SECONDS)


def main(path: str, port: str) -> None:
    """Serve until it is ended."""
    from kakomi.server import running
    from kakomi.server.operations import periodic_jobs
    from kakomi.server.site import clock

    ahead, named, prepare = SharedClock(Path(path)), periodic_jobs.named_jobs, running.prepare_database

    def prepare_database() -> None:
        prepare()
        _take_no_gap_for_an_outage()

    running.prepare_database = prepare_database
    periodic_jobs.named_jobs = lambda: {name: min(every, MOST_SECONDS) for name, every in named().items()}
    with clock.time_from(lambda: time.time() + ahead.now()):
        running.serve("127.0.0.1", int(port), or_another=False, open_browser=False)


def _take_no_gap_for_an_outage() -> None:
    from kakomi.server.tables import outages

    outages.GAP_SECONDS = math.inf
    outages.beat.__kwdefaults__["gap"] = math.inf


if __name__ == "__main__":
    main(*sys.argv[1:])
