"""Conditional plans: a player's answers to possible turns of others, played as soon as those turns occur."""
