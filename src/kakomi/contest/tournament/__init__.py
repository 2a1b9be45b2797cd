"""Tournaments: the next round and the standings, as pure functions of a log of events.

A log is a sequence of entries (`Entered`, `Round`, `Reported`, ...), a format is data (`Swiss`, `Tables`).
`next_round` makes the next pairings, as an entry to add to the log; `standings` ranks the entrants. The same
log, format and seed give the same result in every process.
"""

from kakomi.contest.tournament.config import (
    AnyFormat,
    Elimination,
    Ladder,
    RoundRobin,
    Swiss,
    Tables,
    TieBreak,
    check_format,
    read_format,
    write_format,
)
from kakomi.contest.tournament.ladder import climbs, why_not_challenge
from kakomi.contest.tournament.log import (
    Challenged,
    Closed,
    Corrected,
    Entered,
    Entry,
    Erased,
    Log,
    LogError,
    Pairing,
    Reported,
    Returned,
    Round,
    RoundNotReadyError,
    Tournament,
    Withdrew,
    read_log,
    replay,
    write_log,
)
from kakomi.contest.tournament.next_round import may_return, next_round
from kakomi.contest.tournament.round_robin import group_rankings
from kakomi.contest.tournament.scoring import Row
from kakomi.contest.tournament.standings import annulled_games, standings

__all__ = [
    "AnyFormat",
    "Challenged",
    "Closed",
    "Corrected",
    "Elimination",
    "Entered",
    "Entry",
    "Erased",
    "Ladder",
    "Log",
    "LogError",
    "Pairing",
    "Reported",
    "Returned",
    "Round",
    "RoundNotReadyError",
    "RoundRobin",
    "Row",
    "Swiss",
    "Tables",
    "TieBreak",
    "Tournament",
    "Withdrew",
    "annulled_games",
    "check_format",
    "climbs",
    "group_rankings",
    "may_return",
    "next_round",
    "read_format",
    "read_log",
    "replay",
    "standings",
    "why_not_challenge",
    "write_format",
    "write_log",
]
