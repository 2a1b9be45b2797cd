"""Playouts and tree search over any game's rules; knows no game."""
