"""Exact answers and figures: perft, speed, matches, reports."""
