"""Measure what an action costs the site: milliseconds of a core, by the thread in which they go.

    python -m benchmarks.actions [--beside CHECKOUT] [--games 20] [--rounds 10] [--actions 100]

An action is the click's request with its transaction, the news, and the other's board. At some tables people
act one after the other, each when the other's page has the last action. With `--beside` the sites of other
checkouts play the same games in turns with this one: where other things run too, only ratios count.
"""

import argparse
import asyncio
import contextlib
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.load.playing import Playing
from benchmarks.load.site import SETUPS, Served, served
from kakomi import catalog

HERE = Path(__file__).resolve().parent.parent.parent
MODULE = "benchmarks.actions.named_site"
KINDS = {"MainThread": "event loop", "kakomi-pages": "clicks", "kakomi-news": "the others' boards"}
"""How a thread's name begins -> what it does."""
REST = "all else"


@dataclass
class Measured:
    """One checkout's site, and what was measured of it."""

    name: str
    site: Served
    tables: list[Playing] = field(default_factory=list)
    rounds: list[Mapping[str, float]] = field(default_factory=list)
    """Of each round the milliseconds of a core for an action, by what its threads do."""

    def note(self, before: Mapping[str, float], after: Mapping[str, float], actions: int) -> None:
        """Add a round of so many actions, by what had been used before and after it."""
        self.rounds.append({kind: (after[kind] - before[kind]) / actions for kind in after})

    def totals(self) -> list[float]:
        """Of each round, milliseconds for an action."""
        return [sum(each.values()) for each in self.rounds]

    def line(self, base: "Measured") -> str:
        """Its row of the table: medians."""
        parts = [statistics.median(each[kind] for each in self.rounds) for kind in (*KINDS.values(), REST)]
        pairs = zip(self.totals(), base.totals(), strict=True)
        ratio = statistics.median(own / other for own, other in pairs)
        figures = [
            f"{statistics.median(self.totals()):.2f}",
            *(f"{part:.2f}" for part in parts),
            f"{ratio:.2f}",
        ]
        return f"| {self.name} | {' | '.join(figures)} |\n"


def used(site: Served) -> Mapping[str, float]:
    """Milliseconds of a core that a site's threads have used, by what they do."""
    found = dict.fromkeys((*KINDS.values(), REST), 0.0)
    for pid in site.pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
                name = (task / "comm").read_text()
                kind = next((KINDS[begin] for begin in KINDS if name.startswith(begin)), REST)
                found[kind] += int((task / "schedstat").read_text().split()[0]) / 1e6
    return found


async def measure(sites: Sequence[Measured], games: int, rounds: int, actions: int) -> None:
    """Let people play at all sites, in turns. The first round warms what is cold."""
    names = catalog.names()
    for measured in sites:
        measured.tables = [
            Playing(measured.site.ports, names[n % len(names)], random.Random(n)) for n in range(games)
        ]
        for table in measured.tables:
            await table.sit_down()
    for number in range(rounds + 1):
        for measured in sites if number % 2 else sites[::-1]:
            before = used(measured.site)
            for action in range(actions):
                await measured.tables[action % games].act_and_be_seen()
            if number:
                measured.note(before, used(measured.site), actions)
    for measured in sites:
        for table in measured.tables:
            await table.get_up()


def main() -> None:
    """See the module's description."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.actions", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--beside", type=Path, nargs="*", default=[], help="other checkouts, to be compared with"
    )
    parser.add_argument("--games", type=int, default=20, help="tables that are played at (default 20)")
    parser.add_argument("--rounds", type=int, default=10, help="for each site (default 10)")
    parser.add_argument("--actions", type=int, default=100, help="of each round (default 100)")
    parser.add_argument("--on", choices=sorted(SETUPS), default="sqlite")
    chosen = parser.parse_args()
    setup = SETUPS[chosen.on]
    with contextlib.ExitStack() as ends:
        sites = [
            Measured(folder.resolve().name, ends.enter_context(served(setup, MODULE, folder.resolve())))
            for folder in (*chosen.beside, HERE)
        ]
        asyncio.run(measure(sites, chosen.games, chosen.rounds, chosen.actions))
        print(f"| {setup.name} | ms of a core | {' | '.join((*KINDS.values(), REST))} | of the first |")
        print("| --- |" + " ---: |" * (len(KINDS) + 3))
        print("".join(measured.line(sites[0]) for measured in sites), end="")


if __name__ == "__main__":
    main()
