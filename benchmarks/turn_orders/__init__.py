"""Rings for three and more with players in other orders: an experiment, no game (docs/seats.md)."""
