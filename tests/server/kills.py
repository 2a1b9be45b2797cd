"""Killing server processes while people play, and looking at what is on disk then."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kakomi.session import Entry, Table
from server.ledgers import Kept, Ledger, key_of_sender
from server.persistent_player import PersistentPlayer
from server.sites import PATIENCE, Site

PLAYERS = 3
LONGEST_PLAY = 0.6
"""Seconds between a start and the next kill, at most."""


@dataclass
class Toll:
    """What was done, to be told."""

    kills: int = 0
    inside: int = 0
    """Kills by which at least one request broke off."""
    accepted: int = 0
    tables: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.inside} of them inside a request; "
            f"{self.accepted} entries accepted at {self.tables} tables, none lost and none twice"
        )


def kill_and_check(sites: Sequence[Site], ledger: Ledger, kills: int, chance: random.Random) -> Toll:
    """Kill running sites, again and again, each as often inside a request as between requests.

    After every kill the database must hold what was answered as done and at most what was under way besides.
    """
    crowd = _Crowd(sites, chance)
    toll = Toll()
    try:
        while toll.kills < kills:
            victim = sites[toll.kills % len(sites)]
            toll.inside += crowd.play_until_killed(victim, inside=toll.inside * 2 <= toll.kills + 1)
            toll.kills += 1
            for player in crowd.players:
                check(player, ledger)
            victim.start()
        crowd.play_for(0.5)
        for player in crowd.players:
            check(player, ledger)
    finally:
        crowd.go_home()
    toll.accepted = crowd.accepted
    toll.tables = sum(player.tables for player in crowd.players)
    return toll


def check(player: PersistentPlayer, ledger: Ledger) -> None:
    """The log has what the player was told, once and in order; all else follows from it."""
    if not player.code:
        return
    kept = ledger.table(player.code)
    found = [(key_of_sender(key), content["value"]) for _, key, content in kept.log]
    under_way = list(player.under_way.entries) if player.under_way else []
    assert found in (player.log, player.log + under_way)
    assert [number for number, _, _ in kept.log] == list(range(1, len(found) + 1))
    drafts = {player.draft, player.under_way.draft} if player.under_way else {player.draft}
    if found == player.log:
        assert _draft(kept) in drafts
    _check_columns(kept)


def _draft(kept: Kept) -> tuple[str, ...]:
    """What is put together on top of the log."""
    to_act = kept.columns["to_act"]
    if to_act is None:
        return ()
    base, actions = kept.drafts[to_act]
    return tuple(actions) if base == len(kept.log) else ()


def _check_columns(kept: Kept) -> None:
    table = Table.from_json(kept.begun)
    for _, _, content in kept.log:
        table = table.apply(Entry.from_json(content))
    assert kept.columns == {
        "entries": table.entries,
        "head": kept.log[-1][1] if kept.log else "",
        "to_act": table.to_act,
        "waits_for_bot": False,
        "is_over": table.is_over,
    }


class _Crowd:
    """Players in threads that all play, or all wait."""

    def __init__(self, sites: Sequence[Site], chance: random.Random) -> None:
        self.players = [PersistentPlayer(random.Random(chance.random())) for _ in range(PLAYERS)]
        self.accepted = 0
        self._sites, self._chance = sites, chance
        self._may_go_on, self._is_over = threading.Event(), False
        self._errors: list[BaseException] = []
        self._resting = [threading.Event() for _ in self.players]
        self._threads = [
            threading.Thread(target=self._play, args=pair, daemon=True)
            for pair in zip(self.players, self._resting, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def play_until_killed(self, victim: Site, *, inside: bool) -> bool:
        """Kill while they play, or when they have just stopped; whether a request broke off by it."""
        before = sum(player.broken for player in self.players)
        self._start()
        time.sleep(self._chance.uniform(0.05, LONGEST_PLAY))
        if inside:
            self._await(lambda: any(player.asks is victim for player in self.players))
            time.sleep(self._chance.uniform(0.0, 0.01))
        else:
            self._rest()
        victim.kill()
        self._rest()
        return sum(player.broken for player in self.players) > before

    def play_for(self, seconds: float) -> None:
        self._start()
        time.sleep(seconds)
        self._rest()

    def go_home(self) -> None:
        self._is_over = True
        self._may_go_on.set()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _start(self) -> None:
        for resting in self._resting:
            resting.clear()
        self._may_go_on.set()

    def _rest(self) -> None:
        self._may_go_on.clear()
        for resting in self._resting:
            assert resting.wait(PATIENCE)
        if self._errors:
            raise self._errors[0]

    def _await(self, happens: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not happens() and not self._errors:
            assert time.monotonic() < until
            time.sleep(0.0005)

    def _play(self, player: PersistentPlayer, resting: threading.Event) -> None:
        while not self._is_over:
            if not self._may_go_on.is_set():
                resting.set()
                self._may_go_on.wait()
            try:
                known = len(player.log)
                player.act(self._sites, self._may_go_on)
                self.accepted += max(len(player.log) - known, 0)
            except BaseException as error:
                self._errors.append(error)
                break
        resting.set()
