"""Ratings: the ledger of rated results, and the ratings computed from it."""

RATE_RESULTS = "kakomi.server.ratings.jobs.rate_results"
"""The job that rates the results that are due."""
