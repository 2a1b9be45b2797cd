"""What is run from the command line: see the package."""

import argparse
from collections import Counter
from pathlib import Path

from rich.progress import track

from benchmarks.pages import replace_part
from benchmarks.tournaments.designs_beside_bounds import table
from benchmarks.tournaments.tally import CHUNK, Counts, run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tournaments.md"
KEPT = Path(__file__).resolve().parents[2] / ".cache" / "tournaments"
FORMATS = ("Swiss", "Tables", "RoundRobin", "Elimination", "Ladder")


def play(tournaments: int, processes: int) -> str:
    """Play them, or read what was kept, and give the tables as text."""
    counts: Counts = Counter()
    steps = -(-tournaments // CHUNK)
    for of_chunk in track(run(tournaments, KEPT, processes), description="tournaments", total=steps):
        counts.update(of_chunk)
    for fault in sorted(key for key in counts if key.startswith("fault")):
        print(fault)
    return by_format(counts) + "\n" + beside_py4swiss(counts)


def by_format(counts: Counts) -> str:
    """What was played, and how many faults were found."""
    heads = ("format", "tournaments", "rounds", "games", "late entries", "withdrawals", "returns", "erased")
    lines = [f"| {' | '.join((*heads, 'corrections', 'invalid'))} |\n", "| --- |" + " ---: |" * 9 + "\n"]
    for kind in FORMATS:
        cells = [counts[f"{kind} {what}"] for what in ("tournaments", "rounds", "games", "Entered")]
        cells += [counts[f"{kind} {what}"] for what in ("Withdrew", "Returned", "Erased", "Corrected")]
        cells.append(sum(count for key, count in counts.items() if key.startswith(f"fault: {kind} ")))
        lines.append(f"| {kind} | " + " | ".join(f"{cell:,}" for cell in cells) + " |\n")
    seats = [
        "\n| two players: games begun less games not begun | 0 | 1 | 2 | 3 | more |\n",
        "| --- |" + " ---: |" * 5 + "\n",
    ]
    for kind in ("Swiss", "RoundRobin", "Elimination"):
        people = [counts[f"{kind} seats {balance}"] for balance in range(5)]
        shares = " | ".join(f"{count / max(1, sum(people)):.2%}" for count in people)
        seats.append(f"| {kind}, {sum(people):,} people | {shares} |\n")
    return "".join(lines + seats)


def beside_py4swiss(counts: Counts) -> str:
    """Ours beside theirs, on the same rounds."""
    compared = counts["swiss compared"]
    lines = [
        f"| {compared:,} rounds of Swiss | ours | py4swiss | rounds in which ours has fewer | more |\n",
        "| --- |" + " ---: |" * 4 + "\n",
    ]
    names = {
        "repeats": "second meetings and second byes",
        "steps": "floats, in score groups",
        "floats": "pairs that float, and byes",
        "squares": "squares of the floats, in score groups",
        "same_seat": "people in the same seat too often",
    }
    for name, words in names.items():
        cells = [counts[f"swiss {name} {what}"] for what in ("ours", "theirs", "fewer", "more")]
        lines.append(f"| {words} | " + " | ".join(f"{cell:,}" for cell in cells) + " |\n")
    without = counts["swiss py4swiss has no pairing"]
    lines.append(
        f"\nIn {without:,} more rounds py4swiss found no pairing by its rules. Ours had "
        f"{counts['swiss no pairing, ours: repeats']:,} second meetings or byes there, and "
        f"{counts['swiss no pairing, ours: same seat']:,} people in the same seat too often.\n"
    )
    return "".join(lines)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tournaments", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("play", "designs"), default="play")
    parser.add_argument("--tournaments", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the table into docs/tournaments.md")
    chosen = parser.parse_args()
    text = play(chosen.tournaments, chosen.processes) if chosen.what == "play" else table()
    print(text)
    if chosen.write:
        replace_part(PAGE, "simulated" if chosen.what == "play" else "designs", text)


if __name__ == "__main__":
    main()
