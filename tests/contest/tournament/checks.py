"""Checks of every round and all standings, independent of the pairing code."""

from collections import Counter
from fractions import Fraction

from kakomi.contest.tournament import (
    AnyFormat,
    Entry,
    Ladder,
    Round,
    RoundRobin,
    Row,
    Swiss,
    Tables,
    Tournament,
    next_round,
    read_log,
    replay,
    standings,
    write_log,
)


def faults_of_round(log: list[Entry], config: AnyFormat, seed: int, paired: Round) -> list[str]:
    """The faults of a round paired after a log, as texts; empty if it is valid."""
    before = replay(log)
    present = {who.name for who in before.present}
    busy = {name for game in before.open_games for name in game.seats}
    named = [name for pairing in paired.pairings for name in pairing.seats] + list(paired.byes)
    sizes = sorted((len(pairing.seats) for pairing in paired.pairings), reverse=True)
    faults = []
    if len(set(named)) != len(named):
        faults.append("somebody is paired twice")
    if not set(named) <= present - busy:
        faults.append("somebody is paired who is away or plays")
    if paired.is_empty:
        faults.append("a round without anybody")
    if isinstance(config, Swiss | Tables) and set(named) != present:
        faults.append("somebody who is there is left out")
    if isinstance(config, Tables):
        if paired.byes or sizes[0] > config.seats or sizes[0] - sizes[-1] > 1:
            faults.append(f"tables of {sizes}")
        if len(sizes) != -(-len(present) // config.seats):
            faults.append("more or fewer tables than need be")
    elif not isinstance(config, Ladder) and sizes and sizes[0] > 2:
        faults.append("more than two play each other")
    if isinstance(config, Swiss) and len(paired.byes) != len(present) % 2:
        faults.append(f"{len(paired.byes)} byes among {len(present)}")
    if isinstance(config, RoundRobin) and config.final is None and _is_too_often(before, config, paired):
        faults.append("two meet oftener than agreed")
    if seed % 5 == 0 and next_round(read_log(write_log(log)), config, seed) != paired:
        faults.append("the same log gave another round")
    return faults


def _is_too_often(before: Tournament, config: RoundRobin, paired: Round) -> bool:
    meetings = Counter(frozenset(game.seats) for game in before.games)
    meetings.update(frozenset(pairing.seats) for pairing in paired.pairings)
    return max(meetings.values(), default=0) > config.legs


def faults_of_standings(log: list[Entry], config: AnyFormat, seed: int) -> list[str]:
    """The faults of the standings after a log, as texts."""
    rows = standings(log, config, seed)
    state = replay(log)
    faults = []
    if sorted(row.entrant for row in rows) != sorted(state.participants):
        faults.append("the standings lack somebody, or have somebody twice")
    for stage in {row.stage for row in rows}:
        of_stage = [row for row in rows if row.stage == stage]
        if not isinstance(config, RoundRobin) and not _is_in_order(of_stage):
            faults.append("places do not follow the points")
    if seed % 5 == 0 and rows != standings(read_log(write_log(log)), config, seed):
        faults.append("the same log gave other standings")
    if isinstance(config, Swiss | Tables):
        results = [game.result for game in state.games if game.result]
        won = sum(len(result.places) for result in results) / 2 + sum(
            len(played.byes) for played in state.rounds
        )
        if not any(result.absent for result in results) and sum(row.points for row in rows) != Fraction(won):
            faults.append(f"{sum(row.points for row in rows)} points in all, where {won} were won")
    return faults


def _is_in_order(rows: list[Row]) -> bool:
    """Whether exactly the entrants equal in everything share places, and those who left come last without
    one."""
    ranked = [row for row in rows if row.place is not None]
    if rows[: len(ranked)] != ranked or any(row.status == "present" for row in rows[len(ranked) :]):
        return False
    rows = ranked
    keys = [(row.points, row.tie_breaks) for row in rows]
    if keys != sorted(keys, reverse=True):
        return False
    places = [1 + sum(other > own for other in keys) for own in keys]
    return places == [row.place for row in rows]
