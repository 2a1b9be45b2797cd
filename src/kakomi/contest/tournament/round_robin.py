"""Round robin in groups, by Berger tables, with an optional final stage among the best.

A group follows its table with the participants who are present. After the end of the table, or if somebody
entered late, those with the most games left are paired first, until all present have met as often as agreed.

If participants have left with fewer than half of their group games played, those games are annulled for
everyone. Otherwise their games stand, and everyone present who hasn't met them yet gets a full point.

The final stage is a separate tournament with its own log. Promotion is decided by the log at the time when
the first round of the final stage is paired: later corrections of group games only change group standings.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import msgspec

from kakomi.contest.tournament.config import RoundRobin
from kakomi.contest.tournament.log import (
    Closed,
    Corrected,
    Entered,
    Entry,
    Erased,
    Log,
    Pairing,
    PlayedRound,
    Reported,
    Returned,
    Round,
    Tournament,
    Withdrew,
    replay,
)
from kakomi.contest.tournament.scoring import Appearance, Records, Row, ranking, records_of
from kakomi.contest.tournament.seating import History, seat_order
from kakomi.contest.tournament.seeded_random import lot
from kakomi.contest.tournament.swiss import Costs, best_pairs


def berger_rounds(people: int) -> list[list[tuple[int, int]]]:
    """Return rounds in which everyone, numbered from 0, meets everyone once; the first of a pair starts.

    With an odd number, one sits out each round. In a pair whose numbers (from 1) have an odd sum the lower
    one starts, else the higher; the last of an even number starts against the upper half of the others.
    """
    even = people + people % 2
    rounds: list[list[tuple[int, int]]] = []
    for number in range(even - 1):
        pairs = []
        for one in range(even - 1):
            other = (number - one) % (even - 1)
            if one < other:
                pairs.append((one, other) if (one + other) % 2 else (other, one))
            elif one == other and even == people:
                pairs.append((one, even - 1) if one < even // 2 else (even - 1, one))
        rounds.append(pairs)
    return rounds


FINAL = "final"


def groups(tournament: Tournament, config: RoundRobin, seed: int) -> list[list[str]]:
    """Return the groups: founders in snake order of strength, then each late entrant in the smallest group.
    Every group has at least two founders, so there may be fewer groups than configured."""
    people = list(tournament.participants.values())
    founders = sorted(
        (who for who in people if who.joined == 0),
        key=lambda who: (-who.strength, lot(seed, "rank", who.name), who.name),
    )
    count = max(1, min(config.groups, len(founders) // 2))
    found: list[list[str]] = [[] for _ in range(count)]
    for rank, who in enumerate(founders):
        turn, place = divmod(rank, count)
        found[count - 1 - place if turn % 2 else place].append(who.name)
    for who in people:
        if who.joined:
            min(found, key=len).append(who.name)
    return found


def group_stage_rounds(tournament: Tournament) -> int:
    """Return the number of rounds before the final stage."""
    for number, played in enumerate(tournament.rounds):
        if any(game.stage.startswith(FINAL) for game in played.games):
            return number
    return len(tournament.rounds)


def next_group_round(tournament: Tournament, config: RoundRobin, seed: int) -> Round | None:
    """Return the next round of all groups; None if all who are present have played all their games."""
    history = History(tournament)
    own_groups = groups(tournament, config, seed)
    pairings: list[Pairing] = []
    byes: list[str] = []
    for number, names in enumerate(own_groups, start=1):
        stage = f"group {number}" if len(own_groups) > 1 else ""
        present = [name for name in names if tournament.participants[name].is_present]
        pairs = _group_pairs(tournament, config, names, present, history)
        if pairs is None:
            continue
        pairings += [Pairing(pair, stage) for pair in pairs]
        byes += [name for name in present if not any(name in pair for pair in pairs)]
    return Round(tuple(pairings), tuple(byes)) if pairings else None


def _group_pairs(
    tournament: Tournament, config: RoundRobin, names: list[str], present: list[str], history: History
) -> list[tuple[str, ...]] | None:
    """Return the games of a group in the next round; None if it has none left."""
    left = games_left(tournament, config)
    if not any(left(*pair) for pair in combinations(present, 2)):
        return None
    founders = [name for name in names if tournament.participants[name].joined == 0]
    table = berger_rounds(len(founders))
    number = len(tournament.rounds)
    if len(founders) == len(names) and number < len(table) * config.legs:
        leg, of_leg = divmod(number, len(table))
        pairs = [(founders[one], founders[other]) for one, other in table[of_leg]]
        scheduled = [
            pair[:: -1 if leg % 2 else 1] for pair in pairs if set(pair) <= set(present) and left(*pair)
        ]
        if scheduled:
            return list(scheduled)
    chosen = best_pairs(len(present), _most_left_first(present, left))
    return [
        seat_order((present[one], present[other]), history.seats, lot(0, number)) for one, other in chosen
    ]


def games_left(tournament: Tournament, config: RoundRobin) -> Callable[[str, str], int]:
    """Return a function for the games two have yet to play. A game with an absent player isn't replayed."""
    paired = Counter(frozenset(game.seats) for game in tournament.games)
    return lambda one, other: max(0, config.legs - paired[frozenset((one, other))])


def has_games_left(tournament: Tournament, config: RoundRobin, seed: int, entrant: str) -> bool:
    """Whether somebody has games left with present members of their group."""
    left = games_left(tournament, config)
    group = next(names for names in groups(tournament, config, seed) if entrant in names)
    others = [name for name in group if name != entrant and tournament.participants[name].is_present]
    return any(left(entrant, other) for other in others)


def _most_left_first(
    present: list[str], left: Callable[[str, str], int]
) -> Callable[[int, int], Costs | None]:
    """Return the cost function of pairs with games left: the more games both have left, the cheaper."""
    totals = [sum(left(name, other) for other in present if other != name) for name in present]
    most = 2 * max(totals)

    def costs(one: int, other: int) -> Costs | None:
        games = left(present[one], present[other])
        return (most - totals[one] - totals[other], most - games, one * one + other) if games else None

    return costs


def group_rankings(tournament: Tournament, config: RoundRobin, seed: int) -> list[list[Row]]:
    """Return the rows of each group, with places within the group."""
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
    """Return the entrants whose group games are annulled."""
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
    """Return those of a group who left before meeting everyone present, or whose games are annulled."""
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


def final_log(log: Log, config: RoundRobin, seed: int) -> list[Entry] | None:
    """Return the log of the final stage; None before the groups have finished, or without a final stage."""
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
    """Return the best present entrants of each group: all winners, then all seconds, and so on, by points
    within each rank."""
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
    """Yield the entries of the final stage, with its rounds renumbered."""
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
