"""Counts over random tournaments."""

from collections import Counter

from contest.tournament.checks import faults_of_round, faults_of_standings
from contest.tournament.py4swiss_peer import quality, their_round
from contest.tournament.simulation import FORMATS, random_tournament
from kakomi.contest.tournament import AnyFormat, Entry, Round, Swiss

COMPARED = 3
"""py4swiss pairs the rounds of one in this many Swiss tournaments, because it takes most of the time."""
Counts = Counter[str]


def tally(numbers: range) -> Counts:
    """Play the tournaments with the given numbers, and return counts. Keys are `format what` or `fault:
    ...`."""
    counts: Counts = Counter()
    for number in numbers:
        simulation = random_tournament(number)
        kind = type(simulation.config).__name__

        def witness(log: list[Entry], config: AnyFormat, seed: int, paired: Round, kind: str = kind) -> None:
            counts[f"{kind} rounds"] += 1
            counts[f"{kind} games"] += len(paired.pairings)
            counts.update(
                f"fault: {kind} {seed}: {fault}" for fault in faults_of_round(log, config, seed, paired)
            )
            if isinstance(config, Swiss) and seed // len(FORMATS) % COMPARED == 0:
                compare(log, config, paired, counts)

        simulation.play(witness)
        counts[f"{kind} tournaments"] += 1
        found = faults_of_standings(simulation.log, simulation.config, simulation.seed)
        counts.update(f"fault: {kind} {number}: {fault}" for fault in found)
        _count_events(simulation.log, kind, counts)
    return counts


def compare(log: list[Entry], config: Swiss, paired: Round, counts: Counts) -> None:
    """Compare our round with py4swiss's."""
    ours = quality(log, config, paired)
    theirs_paired = their_round(log, config)
    if theirs_paired is None:
        counts["swiss py4swiss has no pairing"] += 1
        counts["swiss no pairing, ours: repeats"] += ours.repeats
        counts["swiss no pairing, ours: same seat"] += ours.same_seat
        return
    theirs = quality(log, config, theirs_paired)
    counts["swiss compared"] += 1
    for name in ("repeats", "steps", "floats", "squares", "same_seat"):
        own, its = getattr(ours, name), getattr(theirs, name)
        counts[f"swiss {name} ours"] += own
        counts[f"swiss {name} theirs"] += its
        counts[f"swiss {name} fewer"] += own < its
        counts[f"swiss {name} more"] += own > its


def _count_events(log: list[Entry], kind: str, counts: Counts) -> None:
    rounds = 0
    for entry in log:
        name = type(entry).__name__
        rounds += name == "Round"
        if name in ("Withdrew", "Returned", "Erased", "Corrected") or (name == "Entered" and rounds):
            counts[f"{kind} {name}"] += 1
