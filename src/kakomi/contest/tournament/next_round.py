"""The next round of a tournament of any format: a pure function of the log, the format and a seed."""

from kakomi.contest.tournament.config import (
    AnyFormat,
    Elimination,
    Ladder,
    RoundRobin,
    Swiss,
    Tables,
    check_format,
)
from kakomi.contest.tournament.knockout import next_elimination_round
from kakomi.contest.tournament.ladder import next_ladder_round
from kakomi.contest.tournament.log import Log, Pairing, Round, RoundNotReadyError, Tournament, replay
from kakomi.contest.tournament.round_robin import (
    FINAL,
    final_log,
    group_stage_rounds,
    has_games_left,
    next_group_round,
)
from kakomi.contest.tournament.swiss import next_swiss_round
from kakomi.contest.tournament.tables import next_tables_round


def next_round(log: Log, config: AnyFormat, seed: int) -> Round | None:
    """Return the next round; None if nobody can be paired, because all is played or too few are present.

    The result is an entry that the caller adds to the log. Raises RoundNotReadyError while games are open,
    except for a ladder; LogError for an impossible log; and ValueError for a format with invalid parameters.
    """
    check_format(config)
    tournament = replay(log)
    if tournament.is_closed:
        return None
    if isinstance(config, Ladder):
        return next_ladder_round(tournament, seed)
    _check_ready(tournament)
    match config:
        case Swiss():
            return next_swiss_round(tournament, config, seed)
        case Tables():
            return next_tables_round(tournament, config, seed)
        case Elimination():
            return next_elimination_round(tournament, config, seed)
        case RoundRobin():
            return _next_round_robin(log, tournament, config, seed)


def may_return(log: Log, config: AnyFormat, seed: int, entrant: str) -> bool:
    """Whether somebody who has left could be paired again if they returned now."""
    tournament = replay(log)
    match config:
        case _ if tournament.is_closed or entrant not in tournament.participants:
            return False
        case Ladder():
            return True
        case Elimination():
            return not tournament.rounds
        case Swiss() | Tables():
            return len(tournament.rounds) < config.rounds
        case RoundRobin():
            if group_stage_rounds(tournament) == len(tournament.rounds):
                return has_games_left(tournament, config, seed, entrant)
            final = final_log(log, config, seed)
            return (
                final is not None
                and config.final is not None
                and may_return(final, config.final, seed, entrant)
            )


def _next_round_robin(log: Log, tournament: Tournament, config: RoundRobin, seed: int) -> Round | None:
    """Return the next round of the groups, or of the final stage after them."""
    if group_stage_rounds(tournament) == len(tournament.rounds):
        of_groups = next_group_round(tournament, config, seed)
        if of_groups is not None or config.final is None:
            return of_groups
    final = final_log(log, config, seed)
    found = next_round(final, config.final, seed) if final is not None and config.final is not None else None
    if found is None:
        return None
    pairings = [Pairing(each.seats, f"{FINAL} {each.stage}".strip()) for each in found.pairings]
    return Round(tuple(pairings), found.byes)


def _check_ready(tournament: Tournament) -> None:
    if waiting := tournament.open_games:
        tables = ", ".join(f"table {game.table} of round {game.round}" for game in waiting[:5])
        more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""
        raise RoundNotReadyError(f"the next round waits for {tables}{more}")
