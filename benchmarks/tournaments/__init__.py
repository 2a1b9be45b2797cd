"""Tournaments by chance, by the ten thousand: are all pairings valid, and how good are they?

    python -m benchmarks.tournaments --tournaments 50000 --write
    python -m benchmarks.tournaments designs --write

The first plays tournaments of all formats with late entries, withdrawals in the midst of rounds, corrections
and erased accounts, checks every round, and lets py4swiss pair the same rounds of Swiss. It goes on where it
was interrupted. The second compares schedules at tables with what is known to be possible. `--write` puts the
table into docs/tournaments.md. tests/contest plays some of them.
"""
