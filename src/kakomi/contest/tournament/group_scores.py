"""The standings of the groups of a round robin, and what a withdrawal does to them.

Who has left for now and has played fewer than half of the games of the group takes them all away: nobody's
count. Otherwise their games stand, and whoever is there and has yet to meet them has a full point without
playing.
"""

from fractions import Fraction

from kakomi.contest.tournament.config import RoundRobin
from kakomi.contest.tournament.ranking import Row, ranking
from kakomi.contest.tournament.records import Appearance, Records, records_of
from kakomi.contest.tournament.round_robin import games_left, group_stage_rounds, groups
from kakomi.contest.tournament.state import PlayedRound, Tournament


def group_rankings(tournament: Tournament, config: RoundRobin, seed: int) -> list[list[Row]]:
    """Rows of each group, with places within it."""
    rounds = tournament.rounds[: group_stage_rounds(tournament)]
    return [
        ranking(
            tournament,
            names,
            _group_records(tournament, config, names, rounds),
            config.tie_breaks,
            _left_early(tournament, config, names, rounds),
        )
        for names in groups(tournament, config, seed)
    ]


def annulled_in_groups(tournament: Tournament, config: RoundRobin, seed: int) -> set[str]:
    """Those whose games in the groups count for nobody."""
    rounds = tournament.rounds[: group_stage_rounds(tournament)]
    found = [_annulled(tournament, config, names, rounds) for names in groups(tournament, config, seed)]
    return set().union(*found)


def _annulled(
    tournament: Tournament, config: RoundRobin, names: list[str], rounds: list[PlayedRound]
) -> set[str]:
    games = dict.fromkeys(names, 0)
    for played in rounds:
        for game in played.games:
            for name in game.met() if game.result else ():
                if name in games:
                    games[name] += 1
    due = config.legs * (len(names) - 1)
    away = [name for name in names if not tournament.participants[name].is_present]
    return {name for name in away if 2 * games[name] < due}


def _left_early(
    tournament: Tournament, config: RoundRobin, names: list[str], rounds: list[PlayedRound]
) -> set[str]:
    """Those of a group who left before they had met everybody who is there, or whose games don't count."""
    found = _annulled(tournament, config, names, rounds)
    present = [name for name in names if tournament.participants[name].is_present]
    for gone in set(names) - found - set(present):
        left = games_left(tournament, config)
        if any(left(gone, name) for name in present):
            found.add(gone)
    return found


def _group_records(
    tournament: Tournament, config: RoundRobin, names: list[str], rounds: list[PlayedRound]
) -> Records:
    away = [name for name in names if not tournament.participants[name].is_present]
    annulled = _annulled(tournament, config, names, rounds)
    counted = [
        PlayedRound([game for game in played.games if not annulled & set(game.seats)], played.byes)
        for played in rounds
    ]
    records = records_of(names, counted, config)
    win = Appearance(Fraction(1))
    for gone in away:
        if gone in annulled:
            continue
        for name in names:
            if tournament.participants[name].is_present:
                paired = sum(name in g.seats and gone in g.seats for played in rounds for g in played.games)
                records[name] += [win] * max(0, config.legs - paired)
    return records
