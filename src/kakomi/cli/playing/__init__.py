"""A game in the terminal: `kakomi play`."""
