"""The standings of a tournament of any format: a pure function of the log, the format and the seed."""

from fractions import Fraction

from kakomi.contest.places import ranks
from kakomi.contest.tournament.config import AnyFormat, Elimination, Ladder, RoundRobin, Swiss, Tables
from kakomi.contest.tournament.knockout import progress
from kakomi.contest.tournament.ladder import rungs
from kakomi.contest.tournament.log import Log, Tournament, replay
from kakomi.contest.tournament.round_robin import (
    FINAL,
    annulled_in_groups,
    final_log,
    group_rankings,
    group_stage_rounds,
)
from kakomi.contest.tournament.scoring import Row, in_stage, ranking, records_of, status_of


def standings(log: Log, config: AnyFormat, seed: int) -> list[Row]:
    """Return a row for everyone who ever entered, the best first, by all results and corrections so far.

    Groups have separate places; entrants of the final stage come before all others. Raises LogError for an
    impossible log.
    """
    tournament = replay(log)
    match config:
        case Elimination():
            worth = progress(tournament, config, seed)
            return _by_worth(tournament, sorted(worth, key=lambda name: -worth[name]), worth)
        case Ladder():
            order = rungs(tournament, seed)
            worth = {name: len(order) - rung for rung, name in enumerate(order, start=1)}
            return _by_worth(tournament, order, worth)
        case RoundRobin():
            return _of_groups(log, tournament, config, seed)
    names = list(tournament.participants)
    records = records_of(names, tournament.rounds, config)
    return ranking(tournament, names, records, config.tie_breaks, _left_early(tournament, config))


def _left_early(tournament: Tournament, config: Swiss | Tables) -> set[str]:
    """Return those who have left, unless they took part in the last round."""
    stayed = {participant.name for participant in tournament.present}
    if len(tournament.rounds) >= config.rounds:
        last = tournament.rounds[-1]
        stayed |= {name for game in last.games for name in game.seats} | set(last.byes)
    return set(tournament.participants) - stayed


def annulled_games(log: Log, config: AnyFormat, seed: int) -> set[tuple[int, int]]:
    """Return the annulled games, of entrants who left a group before half of theirs, as (round, table)."""
    if not isinstance(config, RoundRobin):
        return set()
    tournament = replay(log)
    until, gone = group_stage_rounds(tournament), annulled_in_groups(tournament, config, seed)
    of_groups = [game for played in tournament.rounds[:until] for game in played.games]
    found = {(game.round, game.table) for game in of_groups if gone & set(game.seats)}
    final = final_log(log, config, seed)
    if final is not None and config.final is not None:
        found |= {(number + until, table) for number, table in annulled_games(final, config.final, seed)}
    return found


def _by_worth(tournament: Tournament, order: list[str], worth: dict[str, int]) -> list[Row]:
    """Return rows in the given order, with places by a single number."""
    places = ranks([worth[name] for name in order])
    games = [name for game in tournament.games if game.result for name in game.met()]
    return [
        Row(
            place,
            name,
            Fraction(worth[name]),
            games=games.count(name),
            status=status_of(tournament.participants[name]),
        )
        for place, name in zip(places, order, strict=True)
    ]


def _of_groups(log: Log, tournament: Tournament, config: RoundRobin, seed: int) -> list[Row]:
    own = group_rankings(tournament, config, seed)
    final = final_log(log, config, seed)
    last = standings(final, config.final, seed) if final is not None and config.final is not None else []
    rows = in_stage(last, FINAL)
    promoted = {row.entrant for row in last}
    for number, group in enumerate(own, start=1):
        rest = [row for row in group if row.entrant not in promoted]
        rows += in_stage(rest, f"group {number}" if len(own) > 1 else "")
    return rows
