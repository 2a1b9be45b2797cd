"""Rows of standings: places by points and tie-breaks. Those who can't be told apart share a place."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from kakomi.contest.tournament.config import TieBreak
from kakomi.contest.tournament.records import Records
from kakomi.contest.tournament.state import Participant, Tournament
from kakomi.contest.tournament.tie_breaks import broken_ties

Status = Literal["present", "withdrawn", "erased"]


@dataclass(frozen=True)
class Row:
    """Somebody in the standings."""

    place: int | None
    """From 1; equals share one, and the next is as much lower. None for those who left before the end: they
    come last."""
    entrant: str
    points: Fraction
    """Points of games; in a knock-out how far somebody came, on a ladder how many stand below."""
    tie_breaks: tuple[Fraction, ...] = ()
    """In the order of the format's `tie_breaks`."""
    games: int = 0
    """Games that were played to a result."""
    status: Status = "present"
    stage: str = ""
    """The group, or `final`."""


def status_of(who: Participant) -> Status:
    """Whether somebody is still there."""
    if who.is_erased:
        return "erased"
    return "present" if who.is_present else "withdrawn"


def ranking(
    tournament: Tournament,
    names: Sequence[str],
    records: Records,
    tie_breaks: Sequence[TieBreak],
    left_early: Collection[str],
) -> list[Row]:
    """Rows by points and tie-breaks; equals stand in the order of entry, and those who left early last."""
    rows: list[Row] = []
    for has_left in (False, True):
        ranked = [name for name in names if (name in left_early) == has_left]
        for tied, values in broken_ties(ranked, records, tie_breaks):
            place = None if has_left else len(rows) + 1
            rows += [
                Row(
                    place,
                    name,
                    values[0],
                    values[1:],
                    sum(bool(each.against) for each in records[name]),
                    status_of(tournament.participants[name]),
                )
                for name in tied
            ]
    return rows


def in_stage(rows: Sequence[Row], stage: str) -> list[Row]:
    """Rows of a stage."""
    return [replace(row, stage=stage) for row in rows]
