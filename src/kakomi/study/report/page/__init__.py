"""A report as a self-contained page: charts, boards and replayable games."""
