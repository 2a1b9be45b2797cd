"""How the site bears thousands of deadlines: `python -m benchmarks.due`."""
