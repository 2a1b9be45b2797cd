"""Notes of one's own on games and people, which nobody else reads."""
