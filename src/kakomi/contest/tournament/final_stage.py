"""The stage after the groups: a tournament of its own among those who were promoted, with a log of its own.

Who was promoted is decided when the first round of the final stage is paired, by the log as it was then.
Corrections of group games that come later change the standings of the groups and nothing else.
"""

from collections.abc import Iterator

import msgspec

from kakomi.contest.tournament.config import RoundRobin
from kakomi.contest.tournament.entries import (
    Closed,
    Corrected,
    Entered,
    Entry,
    Erased,
    Log,
    Pairing,
    Reported,
    Returned,
    Round,
    Withdrew,
)
from kakomi.contest.tournament.group_scores import group_rankings
from kakomi.contest.tournament.round_robin import FINAL, next_group_round
from kakomi.contest.tournament.state import Tournament, replay


def final_log(log: Log, config: RoundRobin, seed: int) -> list[Entry] | None:
    """The log of the final stage. None while the groups play, or if there is no final stage."""
    if config.final is None:
        return None
    begins = _first_final_entry(log)
    before = replay(log[:begins])
    if begins == len(log) and (
        not before.rounds or before.open_games or next_group_round(before, config, seed) is not None
    ):
        return None
    names = promoted(before, config, seed)
    entries: list[Entry] = [Entered(name, float(-rank)) for rank, name in enumerate(names)]
    return entries + list(_of_final(log[begins:], set(names), len(before.rounds)))


def promoted(tournament: Tournament, config: RoundRobin, seed: int) -> list[str]:
    """The best of each group who are still there: winners first, then seconds, and so on; among equals those
    with more points."""
    chosen = []
    for rows in group_rankings(tournament, config, seed):
        here = [row for row in rows if row.status == "present"][: config.promoted]
        chosen += [(rank, -row.points, row.entrant) for rank, row in enumerate(here)]
    number = {name: who.number for name, who in tournament.participants.items()}
    return [name for *_, name in sorted(chosen, key=lambda each: (*each[:2], number[each[2]]))]


def _first_final_entry(log: Log) -> int:
    for number, entry in enumerate(log):
        if isinstance(entry, Round) and any(_is_final(each) for each in entry.pairings):
            return number
    return len(log)


def _is_final(pairing: Pairing) -> bool:
    return pairing.stage.split(" ")[0] == FINAL


def _of_final(entries: Log, names: set[str], earlier: int) -> Iterator[Entry]:
    """The entries that concern the final stage, whose rounds are numbered anew."""
    for entry in entries:
        match entry:
            case Withdrew() | Returned() | Erased() if entry.entrant in names:
                yield entry
            case Round():
                yield Round(
                    tuple(
                        Pairing(each.seats, each.stage.removeprefix(FINAL).strip()) for each in entry.pairings
                    ),
                    entry.byes,
                )
            case Reported() | Corrected() if entry.round > earlier:
                yield msgspec.structs.replace(entry, round=entry.round - earlier)
            case Closed():
                yield entry
