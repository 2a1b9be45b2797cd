"""Measurements of the lobby: how soon a seek is seen, and whether one seek is ever two games."""
