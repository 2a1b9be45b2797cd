"""How many active players the site can serve: `python -m benchmarks.load`, or `make load`.

The load generator shares the cores with the site and so must be cheap: it consists of a few coroutines on
plain sockets instead of a load testing framework, whose requests would cost as much as the site's responses.
"""
