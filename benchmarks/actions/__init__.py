"""What an action at a table costs the site, and in which of its threads: `python -m benchmarks.actions`."""
