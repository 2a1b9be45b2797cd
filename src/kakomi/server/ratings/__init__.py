"""Ratings: the ledger of rated results, and what follows from it."""

RATE_RESULTS = "kakomi.server.ratings.jobs.rate_results"
"""The job that takes in what is due."""
