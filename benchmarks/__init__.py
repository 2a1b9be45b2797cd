"""How fast Kakomi is beside others, measured in one run: `python -m benchmarks`, or `make bench`."""
