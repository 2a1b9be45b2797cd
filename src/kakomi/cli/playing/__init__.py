"""Playing in the terminal: `kakomi play`."""
