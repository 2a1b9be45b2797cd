"""How many people the site bears who really play: `python -m benchmarks.load`, or `make load`.

The generator shares the cores with the site, so what it costs itself is kept small: it is a few coroutines on
plain sockets and not a load testing framework, whose requests cost as much as the site's answers do.
"""
