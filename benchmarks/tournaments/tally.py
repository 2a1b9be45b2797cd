"""What tournaments by chance come to: counts, kept as they are found, so that a long run goes on where it
stopped."""

import ast
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import kakomi.contest.tournament
from benchmarks.tournaments.checks import faults_of_round, faults_of_standings
from benchmarks.tournaments.py4swiss_peer import quality, their_round
from benchmarks.tournaments.simulation import FORMATS, random_tournament
from kakomi.contest.tournament import AnyFormat, Entry, Round, Swiss, Tables, replay
from kakomi.contest.tournament.history import History
from kakomi.farm import Piece, open_farm

CHUNK = 100
COMPARED = 3
"""py4swiss pairs the rounds of every third tournament of Swiss: it takes most of the time."""
Counts = Counter[str]


def tally(numbers: range) -> Counts:
    """Play the tournaments of these numbers. Keys are `format what`, or `fault: ...`."""
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
        _count_seats(simulation.log, simulation.config, kind, counts)
    return counts


def compare(log: list[Entry], config: Swiss, paired: Round, counts: Counts) -> None:
    """Our round beside py4swiss's."""
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


def _count_seats(log: list[Entry], config: AnyFormat, kind: str, counts: Counts) -> None:
    """How far everybody's seats are from equal, between two: games begun less games not begun."""
    if isinstance(config, Tables):
        return
    for seats in History(replay(log)).seats.values():
        balance = abs(2 * seats.count(0) - len(seats))
        if seats and set(seats) <= {0, 1}:
            counts[f"{kind} seats {min(balance, 4)}"] += 1


def fingerprint() -> str:
    """Says which code a result comes from, however it is laid out."""
    here = Path(__file__).parent
    paths = sorted(Path(kakomi.contest.tournament.__file__).parent.glob("*.py"))
    paths += [here / f"{name}.py" for name in ("checks", "py4swiss_peer", "simulation", "tally")]
    trees = "".join(ast.dump(ast.parse(path.read_text(encoding="utf-8"))) for path in paths)
    return hashlib.sha256(trees.encode()).hexdigest()[:12]


def run(tournaments: int, folder: Path, processes: int) -> Iterator[Counts]:
    """Tallies of all tournaments up to a number, chunk by chunk; those on disk are not played again."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{fingerprint()}.jsonl"
    known = {}
    if kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            try:
                first, counts = json.loads(line)
            except ValueError:
                continue  # a line that was being written when the run was stopped
            known[first] = Counter(counts)
    missing = [range(n, min(n + CHUNK, tournaments)) for n in range(0, tournaments, CHUNK) if n not in known]
    yield from (counts for first, counts in known.items() if first < tournaments)
    pieces = {f"tournaments from {numbers.start} on": numbers.start for numbers in missing}
    with kept.open("a", encoding="utf-8") as file, open_farm(processes) as farm:
        for piece, counts in farm.run(
            Piece(name, tally, (numbers,)) for name, numbers in zip(pieces, missing, strict=True)
        ):
            file.write(json.dumps([pieces[piece.name], counts]) + "\n")
            file.flush()
            yield counts
