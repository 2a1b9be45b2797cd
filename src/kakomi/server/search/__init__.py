"""Games to be found: by player, game, size, result and opening, and taken home."""
