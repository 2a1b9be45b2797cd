"""Tournaments: from a log of what happened to the next round and to standings, as pure functions.

A log is a sequence of entries (`Entered`, `Round`, `Reported`, ...), a format is data (`Swiss`, `Tables`).
`next_round` says who plays whom next, and its answer is the entry to add; `standings` says who is where. The
same log, format and seed give the same answer in every process.
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
