"""What work on a farm costs: a simulation, a game, and handing a piece out.

    python -m benchmarks.farm [GAME]... [--games 2] [--simulations 500] [--pieces 500] [--jobs N]
        [--ray ADDRESS] [--write]

Bots that are limited by simulations play a few games on every default board. Processor time counts, so a busy
machine gives about the same figures. `--write` puts the tables into docs/farm.md.
"""
