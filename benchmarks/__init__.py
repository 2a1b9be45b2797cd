"""Kakomi's speed compared with other programs, in one run: `python -m benchmarks`, or `make bench`."""
